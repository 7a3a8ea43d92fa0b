// Starting leaves twice as much garbage as memory in use, and V8 collects it only when the heap grows again, which at rest takes hours.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After the first round of the server's jobs. */
const AFTER_MS = 5_000;

/** Collects once, which takes less than 100 ms. */
export function releaseStartUpMemory() {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
  }, AFTER_MS).unref();
}
