// Demo accounts, new users, and their database clients.
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { createClient, type Session, type SupabaseClient } from '@supabase/supabase-js';
import { generate } from 'otplib';
import { WebSocket } from 'ws';
import type { Database } from '#shared/database.types.ts';

export const DEMO_PASSWORD = 'Statesman-Demo-1';
export type DemoName =
  | 'admin'
  | 'ops'
  | 'supervisor'
  | 'dispatcher'
  | 'hr'
  | 'finance'
  | 'guard'
  | 'guard2'
  | 'client';
export const emailOf = (name: DemoName) => `${name}@statesman.example`;

type Member = { client: SupabaseClient<Database>; session: Session };

/** A client without a session. */
export async function visitor(baseURL: string): Promise<SupabaseClient<Database>> {
  const answer = await fetch(`${baseURL}/app-config.json`);
  const config: { supabaseUrl: string; supabaseAnonKey: string } = await answer.json();
  return createClient<Database>(config.supabaseUrl, config.supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket. The one of ws works, but its event types differ from the browser's.
    realtime: { transport: WebSocket as never },
  });
}

// Few sign-ins per account, because they are rate-limited by address. A new one before the token, valid for an hour, ends:
// pages that refresh the same session one after the other would end it.
const VALID_MS = 30 * 60_000;
const members = new Map<DemoName, { until: number; entered: Promise<Member> }>();

async function enter(baseURL: string, name: DemoName): Promise<Member> {
  const client = await visitor(baseURL);
  const credentials = { email: emailOf(name), password: DEMO_PASSWORD };
  const { data, error } = await client.auth.signInWithPassword(credentials);
  if (error) throw error;
  return { client, session: data.session };
}

/** The demo account's client, for preparing and checking rows. Never sign it out. */
export function member(baseURL: string, name: DemoName): Promise<Member> {
  const known = members.get(name);
  if (known && Date.now() < known.until) return known.entered;
  const entered = enter(baseURL, name);
  members.set(name, { until: Date.now() + VALID_MS, entered });
  return entered;
}

/** As a browser that saves data: without it, every page of the office loads the code of all its screens. */
function saveData() {
  const connection = { saveData: true };
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
}

/** A page in a new browser context with this session. Close the context at the end. */
export async function pageIn(
  browser: Browser,
  baseURL: string,
  session: Session,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { hostname, origin } = new URL(baseURL);
  // The storage key that supabase-js derives from the host.
  const key = `sb-${hostname.split('.')[0]}-auth-token`;
  const localStorage = [{ name: key, value: JSON.stringify(session) }];
  const storageState = { cookies: [], origins: [{ origin, localStorage }] };
  const context = await browser.newContext({ ...options, baseURL, storageState });
  await context.addInitScript(saveData);
  return context.newPage();
}

/** A page in a new browser context, signed in as the demo account. Close the context at the end. */
export async function pageOf(
  browser: Browser,
  baseURL: string,
  name: DemoName | 'visitor',
  options: BrowserContextOptions = {},
): Promise<Page> {
  if (name === 'visitor') return (await browser.newContext({ ...options, baseURL })).newPage();
  const { session } = await member(baseURL, name);
  return pageIn(browser, baseURL, session, options);
}

export type NewPerson = { fullName: string; email: string; password: string };

/** Data of a user without an account. */
export function newPerson(): NewPerson {
  const tag = randomUUID().slice(0, 8);
  return { fullName: `Saah ${tag}`, email: `saah.${tag}@visitor.example`, password: `Post-${tag}` };
}

/** An account without any role. */
export async function signUp(baseURL: string): Promise<NewPerson> {
  const person = newPerson();
  const { error } = await (await visitor(baseURL)).auth.signUp({
    email: person.email,
    password: person.password,
    options: { data: { full_name: person.fullName } },
  });
  if (error) throw error;
  return person;
}

/** An invited account with a temporary password. */
export async function invited(baseURL: string): Promise<NewPerson> {
  const person = newPerson();
  const { client } = await member(baseURL, 'admin');
  const { fullName: full_name, email, password } = person;
  const { error } = await client.functions.invoke('invite-user', {
    body: { full_name, email, password },
  });
  if (error) throw error;
  return person;
}

/** A TOTP code; `next` is the code of the following 30 s, for when the current one is used up. */
export function appCode(secret: string, which: 'now' | 'next' = 'now'): Promise<string> {
  const epoch = Math.floor(Date.now() / 1000) + (which === 'next' ? 30 : 0);
  return generate({ secret, epoch });
}

export type SecuredPerson = NewPerson & { secret: string; client: SupabaseClient<Database> };

/** An account with an authenticator app whose current code is used up. */
export async function secured(baseURL: string): Promise<SecuredPerson> {
  const person = await signUp(baseURL);
  const client = await visitor(baseURL);
  await client.auth.signInWithPassword(person);
  const { data, error } = await client.auth.mfa.enroll({
    factorType: 'totp',
    friendlyName: 'Phone',
  });
  if (error) throw error;
  const { secret } = data.totp;
  const code = await appCode(secret);
  const verified = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code });
  if (verified.error) throw verified.error;
  return { ...person, secret, client };
}

/** Fills and submits the portal's sign-in form. */
export async function login(page: Page, email: string, password = DEMO_PASSWORD) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}
