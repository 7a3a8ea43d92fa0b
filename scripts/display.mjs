// What a start shows: numbered steps with seconds, a bar where there are counts. Lines change in a terminal only.

/** Columns, of the 80 that every terminal has. */
const NAME_WIDTH = 62;
/** Calm: whole seconds, until the step ends. */
const TICK_MS = 1_000;

const isUnicode = (env) =>
  process.platform === 'win32'
    ? env.WT_SESSION !== undefined
    : /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');

const secondsSince = (started) => `${((performance.now() - started) / 1000).toFixed(1)} s`;

/** Bar and per cent, exactly `width` columns wide. Never full: what is counted may be there before the step has ended. */
function barOf(done, total, width, [full, empty]) {
  const share = total > 0 ? Math.min(0.99, done / total) : 0;
  const cells = width - ' 100 %'.length;
  const filled = Math.floor(share * cells);
  const percent = `${Math.floor(share * 100)} %`.padStart(' 100 %'.length);
  return `${full.repeat(filled)}${empty.repeat(cells - filled)}${percent}`;
}

/**
 * @param {{ out?: { write(text: string): unknown, isTTY?: boolean }, env?: Record<string, string | undefined> }} options
 */
export function createDisplay({ out = process.stdout, env = process.env } = {}) {
  const isLive = out.isTTY === true && !env.CI && env.TERM !== 'dumb';
  const glyphs = isUnicode(env) ? ['█', '░'] : ['#', '.'];
  /** Labels of the steps of this start, in order. */
  let plan = [];
  let number = 0;
  let startedAt = performance.now();
  let hasShown = false;
  /** @type {{ label: string, title: string, since: number, count?: { done: number, total: number }, timer?: NodeJS.Timeout } | undefined} */
  let current;

  function draw({ title, since, count }) {
    const leader = count
      ? barOf(count.done, count.total, NAME_WIDTH - title.length - 1, glyphs)
      : '.'.repeat(Math.max(3, NAME_WIDTH - title.length - 1));
    const seconds = `${Math.floor((performance.now() - since) / 1000)} s`;
    out.write(`\r  ${title} ${leader} ${seconds.padStart(8)}\x1b[K`);
  }

  /** A message between two drawings of the current line. */
  function say(message) {
    if (current === undefined) out.write(`  ${message}\n`);
    else if (isLive) {
      out.write(`\r\x1b[K  ${message}\n`);
      draw(current);
    } else {
      out.write(`\n  ${message}\n`);
      out.write(`  ${current.title} ...`);
    }
  }

  function begin(label, title) {
    end();
    hasShown = true;
    current = { label, title, since: performance.now() };
    if (!isLive) {
      out.write(`  ${title} ...`);
      return;
    }
    draw(current);
    // A step must not keep a process running that has nothing else to do.
    current.timer = setInterval(() => current && draw(current), TICK_MS).unref();
  }

  /** Ends the current step. */
  function end(failed = false) {
    if (current === undefined) return;
    const { title, since, timer } = current;
    clearInterval(timer);
    current = undefined;
    const result = failed ? 'failed' : secondsSince(since);
    const leader = '.'.repeat(Math.max(3, NAME_WIDTH - title.length - 1));
    out.write(isLive ? `\r  ${title} ${leader} ${result.padStart(8)}\x1b[K\n` : ` ${result}\n`);
  }

  function beginStep(label) {
    // What another start has done is left out, so the count may jump.
    number = plan.indexOf(label, number) + 1 || number + 1;
    const isPlanned = plan.length > 1 && number <= plan.length;
    begin(label, isPlanned ? `Step ${number} of ${plan.length}  ${label}` : label);
  }

  /** @param {number} [done] of `total`; only steps have counts, other messages are single lines */
  function progress(message, done, total) {
    const isCounted = done !== undefined && total !== undefined;
    if (current?.label !== message) {
      if (plan.includes(message, number)) beginStep(message);
      else if (isCounted) begin(message, message);
      else return say(`${message}…`);
    }
    if (!isCounted || current === undefined) return;
    current.count = { done, total };
    if (isLive) draw(current);
    if (done >= total) end();
  }

  return {
    say,
    progress,
    /** @param {string[]} labels of all steps, those of the server too */
    plan: (labels) => {
      plan = labels;
      number = 0;
      startedAt = performance.now();
    },
    /** Runs a step. @template T @param {(count: (done: number, total: number) => void) => Promise<T>} work */
    step: async (label, work) => {
      beginStep(label);
      try {
        const result = await work((done, total) => {
          if (current === undefined) return;
          current.count = { done, total };
          if (isLive) draw(current);
        });
        end();
        return result;
      } catch (error) {
        end(true);
        throw error;
      }
    },
    /** Leaves the line of a step that was interrupted. */
    fail: () => end(true),
    /** Ends the last step. @returns the sum of the steps, empty if there were none */
    finish: () => {
      end();
      return hasShown ? ` after ${Math.round((performance.now() - startedAt) / 1000)} s` : '';
    },
  };
}

/** Of this process. */
export const display = createDisplay();
