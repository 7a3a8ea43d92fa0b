// Ends what a test has started; read anew for each file.
import { afterEach } from 'vitest';
import { endAll } from './program.ts';

afterEach(endAll);
