// Listens, or says in one sentence why it can't.
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

function explain(code: string | undefined, { host, port }: Pick<Config, 'host' | 'port'>): string {
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop it, or start with another port: PORT=${port + 1} npm start`;
  }
  if (code === 'EACCES') {
    return `This account may not listen on port ${port}. Use a port above 1023, for example PORT=3000.`;
  }
  return `This machine can't listen on ${host}:${port} (${code}). Set HOST to an address of this machine.`;
}

/** @throws StartError */
export async function listen(
  app: FastifyInstance,
  config: Pick<Config, 'host' | 'port'>,
): Promise<void> {
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new StartError(explain(code, config), { cause: error });
  }
}
