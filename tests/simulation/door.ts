// The front door: a person's session and the calls that their screens make.
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import ws from 'ws';
import type { Database } from '#shared/database.types.ts';

export type Client = SupabaseClient<Database>;
type Answer = { error: { message: string; code?: string } | null; status: number };

/** A refusal is an answer of the product, in words for the person. */
export class Refused extends Error {
  override name = 'Refused';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** SQL that is wrong, such as an ambiguous name; 42501 refuses for want of a right. */
const FAULT = /^42(?!501)/;

/** @throws Refused, or another error where the product itself failed */
export function accepted<Received extends Answer>(answer: Received): Received & { error: null } {
  const { error, status } = answer;
  if (error?.code && FAULT.test(error.code))
    throw new Error(`The product failed: ${error.code} ${error.message}`);
  if (error) throw new Refused(status, error.code ?? '', error.message);
  return { ...answer, error: null };
}

/** @returns what the product refused, undefined if it did not */
export async function refusalOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return `refused: ${error.message}`;
  }
}

export class Door {
  #key = '';

  constructor(readonly url: string) {}

  async open(): Promise<void> {
    const response = await fetch(`${this.url}/app-config.json`);
    const config: { supabaseAnonKey: string } = JSON.parse(await response.text());
    this.#key = config.supabaseAnonKey;
  }

  /** A session of its own. */
  client(): Client {
    return createClient<Database>(this.url, this.#key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      // Node 20 has none. supabase-js's type lacks what it does not use.
      realtime: { transport: ws as never },
    });
  }
}
