// A setup file: restores the globals that a test replaced, because test files share a worker. Registered again for each file.
import { afterEach, vi } from 'vitest';

afterEach(() => void vi.unstubAllGlobals());
