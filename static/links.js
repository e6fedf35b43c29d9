// What an address says about the page itself is there before anything is drawn; the rest of the links is loaded aside.
'use strict';
(() => {
  const view = new URLSearchParams(location.search).get('view');
  const mark = () => { if (view === 'embed' || view === 'lesson') document.body.classList.add(`view-${view}`); };
  if (document.body) mark(); else document.addEventListener('DOMContentLoaded', mark);
  import(document.currentScript.dataset.modules).then(({ need }) => need('links/main.js').mountLinks(view)).catch((error) => {
    console.error('The links of this page could not be loaded: ' + error.message);
  });
})();
