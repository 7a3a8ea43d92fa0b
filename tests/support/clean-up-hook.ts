// Undoes what a file's tests have left; read anew for each file, while the module with the list is shared.
import { afterAll } from 'vitest';
import { cleanUpNow } from './clean-up.ts';

afterAll(cleanUpNow);
