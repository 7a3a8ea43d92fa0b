// The app's connection to the backend. It is created once per page and goes through two steps: `connect` fetches the
// configuration, then `open` loads supabase-js and creates the client that carries the session.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#shared/database.types.ts';
import { arrivalAt } from '../session/arrival.ts';
import { showNotice } from '../session/notice.ts';
import { hasStoredSession } from '../session/stored-session.ts';
import { type AppConfig, parseAppConfig } from './app-config.ts';
import { watchedFetch } from './online.ts';
import { reconnectEarly } from './reconnect-early.ts';
import { sessionFetch } from './session-fetch.ts';
import './zod-settings.ts';

export type Client = SupabaseClient<Database>;

type Connection = {
  config: AppConfig;
  hadSession: boolean;
  isLinkArrival: boolean;
};

class Backend {
  #connection: Connection | undefined;
  #opening: Promise<Client> | undefined;
  #client: Client | undefined;
  #visitor: Promise<Client> | undefined;
  #resolveOpened: (client: Client) => void = () => undefined;
  readonly #opened = new Promise<Client>((resolve) => {
    this.#resolveOpened = resolve;
  });

  /** Fetches the configuration. @throws when the server can't be reached or returns something else */
  async connect(): Promise<void> {
    if (this.#connection) return;
    const answer = await watchedFetch('/app-config.json');
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    const config = parseAppConfig(await answer.json());
    this.#connection ??= {
      config,
      hadSession: hasStoredSession(config.supabaseUrl),
      isLinkArrival: arrivalAt(location.href).address !== undefined,
    };
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  get #connected(): Connection {
    if (!this.#connection) throw new Error('connect() must finish before the backend is used.');
    return this.#connection;
  }

  get config(): Connection['config'] {
    return this.#connected.config;
  }

  /** Whether visitors may create an account. While the build renders the sign-in page it isn't known; the server adds it. */
  get offersSignUp(): boolean {
    return this.#connection?.config.signupPolicy !== 'closed';
  }

  /** Whether this browser stored a session when the page was opened. */
  get hadSession(): boolean {
    return this.#connected.hadSession;
  }

  /** Whether the page was opened by a link that may contain a session. */
  get isLinkArrival(): boolean {
    return this.#connected.isLinkArrival;
  }

  /**
   * Creates the client; later calls return the same one.
   * @param after delays the work, which blocks a slow phone for a tenth of a second; ignored if it has started
   * @throws when supabase-js can't be loaded; the next call tries again
   */
  open(after?: Promise<void>): Promise<Client> {
    this.#opening ??= this.#createClient(after).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #createClient(after: Promise<void> | undefined): Promise<Client> {
    const { supabaseUrl, supabaseAnonKey } = this.config;
    await after;
    const { createClient } = await import('./client-library.ts');
    const { notice, address } = arrivalAt(location.href);
    // Reads a session from the page's address while it is created, and not later.
    const client = createClient<Database>(supabaseUrl, supabaseAnonKey, {
      global: { fetch: sessionFetch(supabaseUrl, supabaseAnonKey) },
    });
    if (address !== undefined) history.replaceState(history.state, '', address);
    if (notice) showNotice(notice);
    reconnectEarly(client.realtime);
    this.#client = client;
    this.#resolveOpened(client);
    return client;
  }

  /** Opens the client if there may be a session. Without one, requests go out as a visitor's. */
  async openIfSignedIn(): Promise<void> {
    if (this.#connection?.hadSession || this.#connection?.isLinkArrival) await this.open();
  }

  /** Calls the listener once the client is open. @returns the function that cancels it */
  onOpen(listener: (client: Client) => void): () => void {
    let isWanted = true;
    void this.#opened.then((client) => {
      if (isWanted) listener(client);
    });
    return () => {
      isWanted = false;
    };
  }

  /** The client with the session of the signed-in user. @throws before `open` has finished */
  get client(): Client {
    if (!this.#client) throw new Error('The client is used before it is open.');
    return this.#client;
  }

  /**
   * A client without a session. It stores nothing and leaves the user's session alone. Later calls return the same one:
   * auth-js warns about a second client with the same storage key.
   * @throws when supabase-js can't be loaded; the next call tries again
   */
  visitorClient(): Promise<Client> {
    this.#visitor ??= this.#createVisitor().catch((error: unknown) => {
      this.#visitor = undefined;
      throw error;
    });
    return this.#visitor;
  }

  async #createVisitor(): Promise<Client> {
    const { supabaseUrl, supabaseAnonKey } = this.config;
    const { createClient } = await import('./client-library.ts');
    return createClient<Database>(supabaseUrl, supabaseAnonKey, {
      auth: { persistSession: false, autoRefreshToken: false, storageKey: 'visitor' },
      global: { fetch: watchedFetch },
    });
  }

  /** A client whose requests this function sends. It has no session and stores nothing. */
  async clientWith(send: typeof fetch): Promise<Client> {
    const { supabaseUrl, supabaseAnonKey } = this.config;
    const { createClient } = await import('./client-library.ts');
    return createClient<Database>(supabaseUrl, supabaseAnonKey, {
      accessToken: async () => null,
      global: { fetch: send },
    });
  }

  /**
   * A client that keeps acting for the owner of this token, even after another user has signed in.
   * @param accessToken of a session; it is not refreshed
   */
  async clientFor(accessToken: string): Promise<Client> {
    const { supabaseUrl, supabaseAnonKey } = this.config;
    const { createClient } = await import('./client-library.ts');
    return createClient<Database>(supabaseUrl, supabaseAnonKey, {
      accessToken: async () => accessToken,
      // Replaces the library's long default, because phones send it over slow connections.
      global: { headers: { 'X-Client-Info': 'outbox' } },
    });
  }
}

export const backend = new Backend();

/** The client with the session of the signed-in user, for queries and event handlers. */
export const supabase = (): Client => backend.client;
