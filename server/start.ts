// Starts the backend with the company's settings, demo data, enquiries and web app.
import path from 'node:path';
import type { ClientBase } from 'pg';
import { type Running, startBackend } from 'supabase-in-node';
import type { Application, Context } from 'supabase-in-node/context';
import { readConfigToml } from 'supabase-in-node/settings';
import { z } from 'zod';
import { company } from '#company';
import { backUpBeforeUpgrade, backups } from './backups/backups.ts';
import { readProduct } from './backups/product.ts';
import { savedChanges, savedChangesMetrics } from './backups/saved-changes.ts';
import { calendar } from './calendar/calendar.ts';
import { answerMails } from './client-portal/answer-mails.ts';
import type { AppConfig } from './config.ts';
import { enquiries } from './enquiries/enquiries.ts';
import { invoiceMails } from './invoices/invoice-mails.ts';
import { letters } from './letters/letters.ts';
import { messages } from './messages/messages.ts';
import { companyMetrics } from './metrics/metrics.ts';
import { notices } from './notices/notices.ts';
import { operations } from './operations/jobs.ts';
import { loadDemo, markAsDemo, writeSettings } from './prepare-database.ts';
import { clientReports } from './reports/client-reports.ts';
import { nightlyRoster } from './roster/nightly.ts';
import { system } from './system/system.ts';
import { appConfig, webApp } from './web/web-app.ts';

/** The application's own part of `supabase/config.toml`. */
const ProjectSettings = z.object({
  enquiries: z
    .object({
      /** Enquiries from one address in an hour. */
      per_hour: z.number().int().positive().default(20),
    })
    .prefault({}),
});

interface StartOptions {
  config: AppConfig;
  /** Called with the name of each long step. */
  progress?: (message: string, done?: number, total?: number) => void;
  /** Aborts the start. */
  signal?: AbortSignal;
  /** Fills a new database with the demo company, inside one transaction. */
  fillDemo?: (client: ClientBase, blobs: Context['blobs']) => Promise<void>;
}

/** @throws StartError with one plain sentence for what an operator can fix */
export async function startServer({
  config,
  progress,
  signal,
  fillDemo,
}: StartOptions): Promise<Running> {
  const settings = await readConfigToml(config.projectDir, config.env, ProjectSettings);
  const product = await readProduct(config.rootDir);
  return startBackend({
    config,
    sourceDir: path.join(config.rootDir, 'backend', 'src'),
    progress,
    signal,
    application: {
      ...applicationOf(config),
      name: product.name,
      version: product.version,
      beforeUpgrade: (old) => backUpBeforeUpgrade(config, old, progress ?? (() => {})),
      afterMigrations: async (client, blobs) => {
        const fill =
          fillDemo &&
          (() => {
            progress?.('Loading the demo company');
            return fillDemo(client, blobs);
          });
        await loadDemo(client, config.demo, fill);
        await writeSettings(client, config.signupPolicy, settings.enquiries.per_hour);
      },
    },
  });
}

/** Parts that do not depend on the database. */
function applicationOf(config: AppConfig): Application {
  return {
    organisation: company,
    logMailLinks: config.demo,
    adjustSettings: ({ auth }) => {
      if (config.signupPolicy === 'closed') auth.enable_signup = false;
      // An admin who approves an account must know that its address belongs to the person who signed up with it.
      if (config.signupPolicy === 'approval') auth.email.enable_confirmations = true;
    },
    beforeFirstMigration: config.demo ? markAsDemo : undefined,
    imageOrigins: config.mapTiles === undefined ? [] : [new URL(config.mapTiles.url).origin],
    permissionsPolicy: 'geolocation=(self), camera=(self), microphone=()',
    metrics: async (context) => [
      ...savedChangesMetrics(context),
      ...(await companyMetrics(context)),
    ],
    readiness: (context) => {
      const saved = savedChanges(context);
      return saved === undefined ? {} : { savedChanges: saved };
    },
    routes: async (app, context) => {
      await app.register(appConfig(config, context));
      await app.register(enquiries(config.webDir, context));
      await app.register(letters(context));
      await app.register(invoiceMails(context));
      await app.register(clientReports(context));
      await app.register(answerMails(context));
      await app.register(notices(context, config.pushServices));
      await app.register(calendar(context));
      await app.register(messages(context, config.messages));
      await app.register(nightlyRoster(context));
      await app.register(operations(context));
      await app.register(backups(config, context));
      await app.register(system(config, context));
      await app.register(webApp(config.webDir, context, config.signupPolicy));
    },
  };
}
