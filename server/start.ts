// Starts the backend with the company's settings, demo data, enquiries and web app.
import path from 'node:path';
import { type Running, startBackend } from 'supabase-in-node';
import type { Application } from 'supabase-in-node/context';
import { readConfigToml } from 'supabase-in-node/settings';
import { z } from 'zod';
import { company } from '#company';
import { backUpBeforeUpgrade, backups } from './backups/backups.ts';
import { readProduct } from './backups/product.ts';
import { savedChanges, savedChangesMetrics } from './backups/saved-changes.ts';
import { calendar } from './calendar/calendar.ts';
import { answerMails } from './client-portal/answer-mails.ts';
import { pageMails } from './client-portal/page-mails.ts';
import type { AppConfig } from './config.ts';
import { DemoHistory, type HistoryProgress } from './demo/demo-history.ts';
import { type DemoCompany, loadDemo, markAsDemo } from './demo/demo-state.ts';
import { enquiries } from './enquiries/enquiries.ts';
import { invoiceMails } from './invoices/invoice-mails.ts';
import { reminderMails } from './invoices/reminder-mails.ts';
import { letters } from './letters/letters.ts';
import { messages } from './messages/messages.ts';
import { panels } from './messages/panels.ts';
import { companyMetrics } from './metrics/metrics.ts';
import { notices } from './notices/notices.ts';
import { operations } from './operations/jobs.ts';
import { writeSettings } from './prepare-database.ts';
import { quoteMails } from './quotes/quote-mails.ts';
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
  /** Called with the name of each long step, and while it runs with how much of it is done. */
  progress?: (message: string, done?: number, total?: number) => void;
  /** Aborts the start. */
  signal?: AbortSignal;
  demo?: {
    /** For a new database: an ordinary start doesn't parse the lists. */
    load: () => Promise<DemoCompany>;
    /** Fills in the months of history before the server listens; otherwise they follow. */
    isWhole?: boolean;
    onHistory?: (progress: HistoryProgress) => void;
  };
}

/** @throws StartError with one plain sentence for what an operator can fix */
export async function startServer({
  config,
  progress,
  signal,
  demo,
}: StartOptions): Promise<Running> {
  const settings = await readConfigToml(config.projectDir, config.env, ProjectSettings);
  const product = await readProduct(config.rootDir);
  const history = new DemoHistory(demo?.load, demo?.onHistory);
  return startBackend({
    config,
    sourceDir: path.join(config.rootDir, 'backend', 'src'),
    progress,
    signal,
    application: {
      ...applicationOf(config, history),
      name: product.name,
      version: product.version,
      beforeUpgrade: (old) => backUpBeforeUpgrade(config, old, progress ?? (() => {})),
      afterMigrations: async (client, blobs) => {
        await loadDemo(client, {
          isDemo: config.demo,
          load:
            demo &&
            (() => {
              progress?.('Loading the demo company');
              return demo.load();
            }),
          isWhole: demo?.isWhole ?? false,
          blobs,
          onStep: (done, total) => progress?.('Loading the demo company', done, total),
        });
        await writeSettings(client, config.signupPolicy, settings.enquiries.per_hour);
      },
    },
  });
}

/** Parts that do not depend on the database. */
function applicationOf(config: AppConfig, history: DemoHistory): Application {
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
    permissionsPolicy: 'geolocation=(self), camera=(self), microphone=(self)',
    metrics: async (context) => [
      ...savedChangesMetrics(context),
      ...(await companyMetrics(context)),
    ],
    readiness: (context) => {
      const saved = savedChanges(context);
      return {
        ...(saved !== undefined && { savedChanges: saved }),
        ...(history.state !== undefined && { demoHistory: history.state }),
      };
    },
    routes: async (app, context) => {
      await app.register(appConfig(config, context, history));
      await app.register(enquiries(config.webDir, context));
      await app.register(letters(context));
      await app.register(invoiceMails(context));
      await app.register(reminderMails(context));
      await app.register(quoteMails(context));
      await app.register(clientReports(context));
      await app.register(answerMails(context));
      await app.register(pageMails(context));
      await app.register(notices(context, config.pushServices));
      await app.register(calendar(context));
      await app.register(messages(context, config.messages));
      await app.register(panels(context));
      await app.register(nightlyRoster(context));
      await app.register(operations(context));
      await app.register(history.plugin(context));
      await app.register(backups(config, context));
      await app.register(system(config, context));
      await app.register(webApp(config.webDir, context, config.signupPolicy));
    },
  };
}
