// The server from its sources, for npm run dev.
import path from 'node:path';
import { main } from '#server/main.ts';

await main(path.resolve(import.meta.dirname, '..'), []);
