// A setup file: it registers the hook for each file, while clean-up.ts is loaded once per worker.
import { afterAll } from 'vitest';
import { cleanUpNow } from './clean-up.ts';

afterAll(cleanUpNow);
