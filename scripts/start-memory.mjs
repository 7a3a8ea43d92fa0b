// Starting leaves twice as much garbage as memory in use, and V8 collects it only when the heap grows again, which at rest takes hours.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After the first round of the server's jobs, and after the months of a demo company have been filled. */
const AFTER_MS = [5_000, 90_000];

/** Collects twice, which takes less than 100 ms each time. */
export function releaseStartUpMemory() {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (const delay of AFTER_MS) setTimeout(collect, delay).unref();
}
