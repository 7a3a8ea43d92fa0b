// Functions that the server answers itself, because they are about itself: /functions/v1/system-report and …/backup-state.
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { readBearer } from 'supabase-in-node/network';
import { hasTable } from 'supabase-in-node/with-client';
import type { AppConfig } from '../config.ts';
import { readBackupState } from './backup-state.ts';
import { readReport } from './report.ts';

export function system(config: AppConfig, context: Context): FastifyPluginAsync {
  const { database, keys } = context;

  /** Decided by the database, as for every row. */
  async function isAdmin(request: FastifyRequest): Promise<boolean> {
    const token = readBearer(request);
    const payload =
      token === undefined ? undefined : await keys.verify(token).catch(() => undefined);
    if (payload?.role !== 'authenticated') return false;
    const caller = { role: payload.role, claims: JSON.stringify(payload), account: payload.sub };
    const statement = { text: `select private.has_role('admin')`, values: [] };
    const { rows } = await database.callers.run(caller, statement, { readOnly: true });
    return rows[0]?.[0] === 't';
  }

  return async (app) => {
    // Another project served from PROJECT_DIR has no roles.
    if (!(await hasTable(database.owner, 'private.jobs'))) return;
    app.addHook('preHandler', async (request, reply) => {
      if (await isAdmin(request)) return;
      await reply.code(403).send({ code: '42501', message: 'Only admins may do this.' });
    });
    app.post('/functions/v1/system-report', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return readReport(config, context);
    });
    app.post('/functions/v1/backup-state', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return readBackupState(config, context);
    });
  };
}
