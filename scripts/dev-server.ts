// The server from its sources, for npm run dev.
import path from 'node:path';
import { main } from '#server/main.ts';

// Stops with a dev.mjs that was killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
await main(path.resolve(import.meta.dirname, '..'), []);
