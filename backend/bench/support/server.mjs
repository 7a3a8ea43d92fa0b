// The starter project's server as a child process that replies to its parent.
import path from 'node:path';
import { readConfig } from '../../src/config.ts';
import { startBackend } from '../../src/start.ts';
import { answerParent } from './answer-parent.mjs';

// Bundled, this file is in another folder: its parent passes the backend's.
const backend = process.argv[2];
const project = path.join(backend, 'tests', 'projects', 'starter');
const running = await startBackend({
  config: readConfig(
    { PORT: '0', LOG_LEVEL: 'warn', PROJECT_DIR: project, ...process.env },
    backend,
  ),
  sourceDir: path.join(backend, 'src'),
  application: {
    organisation: {
      name: 'Bench',
      shortName: 'Bench',
      email: 'bench@bench.example',
      addressLabel: '',
      hotline: '',
      timeZone: 'UTC',
    },
  },
});

answerParent(running);
