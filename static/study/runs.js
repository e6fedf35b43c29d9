// The run of a study: what the visitor asks, what the server tells, and the study's name in the page's link. No page here.

const RUNS_LINK = /^#study\?([A-Za-z0-9_-]{22}|recorded)$/;

/** The name of the study in an address's hash, else null. */
export function linked(hash) {
  const found = RUNS_LINK.exec(hash);
  return found ? found[1] : null;
}

/** The hash of a study. */
export function linkOf(id) {
  return `#study?${id}`;
}

/** The runs of the screen. ask(what) sends a request; stop(run) ends one on the server; name() makes a run's name.
 *  Returns {start(request), resume(id), sweep(id), stop, notice, show}. */
export function createRuns(store, { ask, stop, name }) {
  let heard = { value: 0, notice: 0 };

  function begin(what, part = {}) {
    const { run: before, running } = store.get();
    if (running && before) stop(before);
    heard = { value: 0, notice: 0 };
    const run = name();
    store.set({ run, running: true, stopping: false, progress: null, error: null, since: Date.now(), ...part });
    ask({ run, ...what });
  }
  const ours = (run) => run !== null && run === store.get().run;

  return {
    start(request) { begin(request, { doc: null, step: 'run', sweeping: false, sweep: null }); },
    resume(id) { begin({ id }, { step: 'run', sweeping: false }); },
    sweep(id) { begin({ id, sweep: true }, { sweeping: true, sweep: null }); },
    stop() {
      const { run, running } = store.get();
      if (!running || !run) return;
      store.set({ stopping: true });
      stop(run);
    },
    notice(news) {
      if (!news || !ours(news.run) || news.serial <= heard.notice) return;
      heard.notice = news.serial;
      const { doc, step } = store.get();
      const part = { progress: news.progress, running: news.running };
      if (news.error) part.error = news.error;
      if (!news.running) {
        Object.assign(part, { progress: null, stopping: false });
        if (news.error && !doc) part.step = 'choose';
        else if (!news.error && step === 'run' && doc && doc.done) part.step = 'results';
        part.sweeping = false;
      }
      store.set(part);
    },
    show(value) {
      if (!value || !ours(value.run) || value.serial <= heard.value) return;
      heard.value = value.serial;
      const { sweep } = value.document;
      store.set(sweep ? { sweep } : { doc: value.document, since: Date.now() });
    },
  };
}
