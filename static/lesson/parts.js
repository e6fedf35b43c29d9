// Where on the screens the parts are that a beat can point at.

/** Parts by name, as a lesson names them, and where each stands: the first place that is on screen is meant. */
export const PARTS = {
  '': '',
  z: '#stage .pg-numbers',
  bar: '#stage .pg-bar',
  rows: '#stage .pg-candidates-card',
  strip: '#stage .pg-tokens, #stage .pg-strip-box',
  state: '#stage .pg-state-box',
  caption: '#stage .pg-caption-box',
  verdict: '#stage .pg-verdicts, #schema .sc-strings-card',
  exact: '#stage .pg-candidates-card, #squeezing .sq-head-numbers, #compare .cmp-head',
  charts: '#stage .pg-charts',
  prompt: '#stage .pg-prompt',
  constraint: '#stage .pg-constraint, #schema .sc-editor-card',
  cards: '#compare .cmp-cards',
  outcomes: '#compare .cmp-outcomes',
  cost: '#compare .cmp-cost',
  flow: '#squeezing .sq-flow-card',
  leaves: '#squeezing .sq-leaves-card',
  receipt: '#squeezing .sq-water-card',
  repair: '#squeezing .sq-fix-card',
  strings: '#schema .sc-strings-card',
  explanation: '#schema .sc-explain-card',
  together: '#decisions .dc-country',
  scores: '#decisions .dc-scored',
};

/** What a screen shows to a room where a beat points at nothing. */
export const USUAL = { step: 'rows', compare: 'outcomes', squeezing: 'flow', schema: 'strings', decisions: 'together' };

/** The part's element that is on screen, or null. */
export function partElement(part) {
  if (!PARTS[part]) return null;
  return [...document.querySelectorAll(PARTS[part])].find((node) => node.getClientRects().length > 0) || null;
}
