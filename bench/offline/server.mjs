// Our server as a child process that replies to its parent.
import { answerParent } from '../../backend/bench/support/answer-parent.mjs';
import { ROOT } from '../../scripts/setup.mjs';
import { readConfig } from '../../server/config.ts';
import { startServer } from '../../server/start.ts';

const config = readConfig({ PORT: '0', DEMO: 'off', LOG_LEVEL: 'warn', ...process.env }, ROOT);
answerParent(await startServer({ config }));
