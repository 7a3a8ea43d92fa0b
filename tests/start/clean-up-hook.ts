// Ends the programs of each test; registered again for each file.
import { afterEach } from 'vitest';
import { endAll } from './program.ts';

afterEach(endAll);
