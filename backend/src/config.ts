// The only reader of the environment.
import path from 'node:path';
import { z } from 'zod';
import { StartError } from './start-error.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** @param host name or address, without a port */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether an address is https, or http on this machine. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** An empty variable counts as not set. */
export const optional = z
  .string()
  .trim()
  .transform((value) => (value === '' ? undefined : value))
  .optional();

const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().trim().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().trim().min(1).default('./data'),
  DATABASE_URL: optional,
  SITE_URL: optional.pipe(z.url().optional()),
  SMTP_URL: optional,
  MAIL_FROM: optional,
  MAIL: optional.pipe(z.enum(['smtp', 'outbox']).optional()),
  STORAGE_URL: optional,
  PROJECT_DIR: optional,
  JWT_SECRET: optional.pipe(z.string().min(32, 'must be at least 32 characters').optional()),
  JWT_KEYS: optional,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(3600).default(4),
  TRUST_PROXY: z.enum(['on', 'off']).default('off'),
  METRICS_TOKEN: optional.pipe(z.string().min(16, 'must be at least 16 characters').optional()),
  CLOCK_FILE: optional,
});

export type Config = {
  port: number;
  host: string;
  /** Absolute path of database files, generated keys, stored objects and the mail outbox. */
  dataDir: string;
  /** An external PostgreSQL; undefined means the embedded one. */
  databaseUrl: string | undefined;
  /** Public address without a trailing slash; undefined means the listening address. */
  siteUrl: string | undefined;
  /** Where mail goes; undefined means SMTP if `smtpUrl` is set, else the outbox. */
  mail: 'smtp' | 'outbox' | undefined;
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  storageUrl: string | undefined;
  /** Absolute path of the folder whose `supabase/` is served. */
  projectDir: string;
  jwtSecret: string | undefined;
  jwtKeys: string | undefined;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  /** Time for requests in flight after the server starts to stop. */
  drainSeconds: number;
  /** Whether to trust X-Forwarded-* of the peer. Only behind a proxy that sets it. */
  trustProxy: boolean;
  /** Who sends it reads the metrics; undefined means programs on this machine alone. */
  metricsToken: string | undefined;
  /** File of libfaketime with the time of a simulation; undefined means the machine's time. */
  clockFile: string | undefined;
  /** PostgREST's own settings, `PGRST_DB_MAX_ROWS` as `db_max_rows`. */
  pgrst: Record<string, string>;
  /** The raw environment, for `env(NAME)` in config.toml. */
  env: Readonly<Record<string, string | undefined>>;
};

/** @param siteUrl undefined means the listening address, which is private */
export const isPublic = (siteUrl: string | undefined): siteUrl is string =>
  siteUrl !== undefined && !isLoopback(new URL(siteUrl).hostname);

/** On a public site, mails with sign-in links must not stay in a folder unnoticed. @throws StartError */
export function requireMailServer({ mail, smtpUrl, siteUrl }: Config): void {
  if (smtpUrl !== undefined || mail === 'outbox') return;
  if (mail === undefined && !(isPublic(siteUrl) && siteUrl.startsWith('https:'))) return;
  throw new StartError(
    `Mail needs a server with ${mail === undefined ? `SITE_URL=${siteUrl}` : `MAIL=${mail}`}. Set SMTP_URL, or MAIL=outbox to write each mail into DATA_DIR/outbox instead.`,
  );
}

/** @throws StartError with a sentence that names the variable and what is wrong */
export function parseEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  env: Record<string, string | undefined>,
): z.output<Schema> {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new StartError(
    `The setting ${issue?.path.join('.')} is not usable: ${issue?.message}. Correct it and start again.`,
  );
}

/** A moved clock makes expired sign-ins valid again. @throws StartError */
function refuseClock(
  { CLOCK_FILE, HOST, SITE_URL }: z.output<typeof Environment>,
  env: Config['env'],
): void {
  if (CLOCK_FILE === undefined) return;
  if (!path.isAbsolute(CLOCK_FILE) || env.FAKETIME_TIMESTAMP_FILE !== CLOCK_FILE) {
    throw new StartError(
      'CLOCK_FILE must be the absolute path that FAKETIME_TIMESTAMP_FILE has. Only npm run simulate sets it.',
    );
  }
  if (!isLoopback(HOST) || isPublic(SITE_URL)) {
    throw new StartError('CLOCK_FILE moves the clock, so it works on a loopback address only.');
  }
}

/**
 * @param env the process environment
 * @param root absolute path against which relative paths are resolved
 * @throws StartError with a sentence that names the variable and what is wrong
 */
export function readConfig(env: Record<string, string | undefined>, root: string): Config {
  const values = parseEnvironment(Environment, env);
  refuseClock(values, env);
  const pgrst = Object.entries(env).flatMap(([name, value]) =>
    name.startsWith('PGRST_') && value !== undefined
      ? [[name.slice('PGRST_'.length).toLowerCase(), value] as const]
      : [],
  );
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: path.resolve(root, values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    siteUrl: values.SITE_URL?.replace(/\/+$/, ''),
    mail: values.MAIL,
    smtpUrl: values.MAIL === 'outbox' ? undefined : values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    storageUrl: values.STORAGE_URL,
    projectDir: path.resolve(root, values.PROJECT_DIR ?? '.'),
    jwtSecret: values.JWT_SECRET,
    jwtKeys: values.JWT_KEYS,
    logLevel: values.LOG_LEVEL,
    drainSeconds: values.DRAIN_SECONDS,
    trustProxy: values.TRUST_PROXY === 'on',
    metricsToken: values.METRICS_TOKEN,
    clockFile: values.CLOCK_FILE,
    pgrst: Object.fromEntries(pgrst),
    env,
  };
}
