// A setup file: what a test put in the place of a global goes back after it, before another file is loaded.
import { afterEach, vi } from 'vitest';

afterEach(() => void vi.unstubAllGlobals());
