// One request at a time: presses wait in line, none is lost or doubled, and an answer that came too late is known as such.

/** Creates a queue. `more()` gives the next job when none waits, or null. A job is an async function of its ticket;
 *  `ticket.stale()` tells, after an await, that the world it was asked in is gone. */
export function createQueue({ more = () => null } = {}) {
  let epoch = 0;
  let waiting = [];
  let active = null;

  async function pump() {
    if (active) return;
    for (let job = waiting.shift() || more(); job; job = waiting.shift() || more()) {
      const mine = { run: job.run || job, job, born: epoch, cancelled: false, stale: () => mine.cancelled || mine.born !== epoch };
      active = mine;
      try {
        await mine.run(mine);
      } finally {
        active = null;
        if (job.resolve && !waiting.includes(job)) job.resolve();
      }
    }
  }

  return {
    /** Puts a job at the end; resolves when it has run or was dropped. */
    add: (run) => new Promise((resolve) => {
      waiting.push({ run, resolve });
      pump();
    }),
    /** Puts a job at the end, but before the jobs of `run`: those that wait, and the one in flight, which comes to nothing and runs again. */
    addBefore: (run, first) => new Promise((resolve) => {
      const again = active && active.run === run && !active.stale() && active.job.resolve ? [active.job] : [];
      if (active && active.run === run) active.cancelled = true;
      const later = waiting.filter((job) => job.run === run);
      waiting = [...waiting.filter((job) => job.run !== run), { run: first, resolve }, ...again, ...later];
      pump();
    }),
    pump,
    waits: (run) => waiting.some((job) => job.run === run),
    /** Drops the jobs that wait (only those of `run`, if given); the one in flight goes on. */
    drop: (run = null) => {
      const dropped = waiting.filter((job) => run === null || job.run === run);
      waiting = waiting.filter((job) => !dropped.includes(job));
      for (const job of dropped) job.resolve();
    },
    /** Makes the job in flight stale if it is `run`. */
    cancel: (run) => { if (active && active.run === run) active.cancelled = true; },
    /** Makes whatever is in flight stale. */
    outdate: () => { epoch += 1; },
  };
}
