// The run of a study: what the visitor asks, what the server tells, and the study's name in the page's link. No page here.

const RUNS_EXPERIMENTS = /^#study\?experiments(?:\/([a-z0-9-]{1,40}))?$/;
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

/** The experiment in an address's hash: its name, '' for their list, else null. */
export function linkedExperiment(hash) {
  const found = RUNS_EXPERIMENTS.exec(hash);
  return found ? found[1] || '' : null;
}

/** The hash of an experiment; of their list without a name. */
export function linkOfExperiment(name) {
  return name ? `#study?experiments/${name}` : '#study?experiments';
}

/** Whether a study runs: not a sweep of one, not an experiment. */
export function studying({ running, sweeping, experimenting }) {
  return running && !sweeping && !experimenting;
}

/** The runs of the screen. ask(what) sends a request; stop(run) ends one on the server; name() makes a run's name.
 *  Returns {start(request), resume(id), sweep(id, over), experiment(request), stop, notice, show}. */
export function createRuns(store, { ask, stop, name }) {
  let heard = { value: 0, notice: 0 };

  function begin(what, part = {}) {
    const { run: before, running } = store.get();
    if (running && before) stop(before);
    heard = { value: 0, notice: 0 };
    const run = name();
    store.set({ run, running: true, stopping: false, progress: null, error: null, since: Date.now(), sweeping: false, experimenting: null, ...part });
    ask({ run, ...what });
  }
  const ours = (run) => run !== null && run === store.get().run;

  return {
    start(request) { begin(request, { doc: null, step: 'run', sweep: null }); },
    resume(id) { begin({ id }, { step: 'run' }); },
    sweep(id, over) { begin({ id, sweep: over }, { sweeping: true, sweep: null }); },
    experiment(request) { begin({ experiment: request }, { experimenting: request.name, live: null, stopped: null }); },
    stop() {
      const { run, running } = store.get();
      if (!running || !run) return;
      store.set({ stopping: true });
      stop(run);
    },
    notice(news) {
      if (!news || !ours(news.run) || news.serial <= heard.notice) return;
      heard.notice = news.serial;
      const { doc, step, experimenting, findings, live } = store.get();
      const part = { progress: news.progress, running: news.running };
      if (news.error) part.error = news.error;
      if (!news.running) {
        Object.assign(part, { progress: null, stopping: false });
        if (experimenting) {
          Object.assign(part, { experimenting: null, live: null });
          if (live && live.finding) part.findings = { ...findings, [experimenting]: live.finding };
          else if (!news.error) part.stopped = experimenting;
        } else if (news.error && !doc) part.step = 'choose';
        else if (!news.error && step === 'run' && doc && doc.done) part.step = 'results';
        part.sweeping = false;
      }
      store.set(part);
    },
    show(value) {
      if (!value || !ours(value.run) || value.serial <= heard.value) return;
      heard.value = value.serial;
      const { sweep, experiment } = value.document;
      store.set(sweep ? { sweep } : experiment ? { live: experiment, since: Date.now() } : { doc: value.document, since: Date.now() });
    },
  };
}
