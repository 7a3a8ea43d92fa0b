// People at work through the proxy. Each of them sends the same thing again until it is acknowledged, as the phones do.
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';

const RETRY_MS = 200;
const ANSWER_MS = 30_000;
const FILE_BYTES = 200_000;

export interface Person {
  email: string;
  password: string;
  siteId: string;
  assignmentId: string;
}

const Session = z.object({ access_token: z.string(), refresh_token: z.string() });
type Session = z.infer<typeof Session>;

export class Ledger {
  readonly clockEvents = new Set<string>();
  readonly incidents = new Set<string>();
  readonly files = new Set<string>();
  refreshes = 0;
  signedOut = 0;
  #last = performance.now();
  #longestGap = 0;
  #failed = new Map<string, number>();

  acknowledged(): void {
    const now = performance.now();
    this.#longestGap = Math.max(this.#longestGap, now - this.#last);
    this.#last = now;
  }

  failed(why: string): void {
    this.#failed.set(why, (this.#failed.get(why) ?? 0) + 1);
  }

  get count(): number {
    return this.clockEvents.size + this.incidents.size + this.files.size;
  }

  /** @returns the longest time without any acknowledged write, and failed attempts by reason, since the last look */
  look(): { longestGapMs: number; failed: string } {
    const longestGapMs = Math.max(this.#longestGap, performance.now() - this.#last);
    const failed = [...this.#failed].map(([why, count]) => `${count} × ${why}`).join(', ');
    this.#longestGap = 0;
    this.#failed = new Map();
    return { longestGapMs, failed: failed === '' ? 'none' : failed };
  }
}

export class Load {
  readonly ledger = new Ledger();
  #isEnding = false;
  readonly #work: Promise<void>[] = [];

  constructor(
    private readonly url: string,
    private readonly anonKey: string,
    private readonly serviceKey: string,
  ) {}

  /** Sends until it is acknowledged. @throws when the server says that the request itself is wrong */
  async #send(path: string, init: RequestInit, token: string): Promise<Response> {
    for (;;) {
      const headers = { apikey: this.anonKey, authorization: `Bearer ${token}`, ...init.headers };
      try {
        const signal = AbortSignal.timeout(ANSWER_MS);
        const answer = await fetch(`${this.url}${path}`, { ...init, headers, signal });
        if (answer.ok) return answer;
        const text = await answer.text();
        // A conflict: an earlier attempt was stored after all.
        if (answer.status === 409) return answer;
        this.ledger.failed(`${answer.status}`);
        if (answer.status < 500 && answer.status !== 429) {
          throw new Error(`${path} was refused: ${answer.status} ${text}`);
        }
      } catch (error) {
        if (error instanceof Error && error.message.includes('was refused')) throw error;
        this.ledger.failed(reasonOf(error));
      }
      await pause(RETRY_MS);
    }
  }

  async signIn({ email, password }: Person): Promise<Session> {
    const body = JSON.stringify({ email, password });
    const answer = await this.#send('/auth/v1/token?grant_type=password', post(body), this.anonKey);
    return Session.parse(await answer.json());
  }

  #repeat(everyMs: number, work: () => Promise<void>): void {
    const go = async () => {
      await pause(Math.random() * everyMs);
      while (!this.#isEnding) {
        await work();
        await pause(everyMs * (0.5 + Math.random()));
      }
    };
    this.#work.push(go());
  }

  /** Clocks in and out, in turn. */
  clocks(person: Person, token: () => string, everyMs: number): void {
    let isIn = false;
    this.#repeat(everyMs, async () => {
      const id = crypto.randomUUID();
      const body = JSON.stringify({
        p_id: id,
        p_kind: isIn ? 'out' : 'in',
        p_assignment_id: person.assignmentId,
        p_device_at: new Date().toISOString(),
        p_gps: '6.3000,-10.8000',
      });
      await this.#send('/rest/v1/rpc/record_clock_event', post(body), token());
      isIn = !isIn;
      this.ledger.clockEvents.add(id);
      this.ledger.acknowledged();
    });
  }

  reports(person: Person, token: () => string, everyMs: number): void {
    this.#repeat(everyMs, async () => {
      const id = crypto.randomUUID();
      const body = JSON.stringify({
        id,
        site_id: person.siteId,
        title: 'Gate left open',
        description: 'Found open on the round, closed again.',
        category: 'security',
        severity: 'low',
      });
      await this.#send('/rest/v1/incidents', post(body), token());
      this.ledger.incidents.add(id);
      this.ledger.acknowledged();
    });
  }

  uploads(everyMs: number): void {
    const bytes = new Uint8Array(FILE_BYTES).fill(7);
    // Starts like a JPEG, which the bucket checks.
    bytes.set([0xff, 0xd8, 0xff, 0xe0]);
    this.#repeat(everyMs, async () => {
      const name = `rehearsal/${crypto.randomUUID()}.jpg`;
      const init = {
        method: 'PUT',
        body: bytes,
        headers: { 'content-type': 'image/jpeg' },
      };
      await this.#send(`/storage/v1/object/evidence/${name}`, init, this.serviceKey);
      this.ledger.files.add(name);
      this.ledger.acknowledged();
    });
  }

  /** Renews a session all the time. A session that ended is counted, and none may. */
  renews(session: Session, everyMs: number): void {
    let { refresh_token } = session;
    this.#repeat(everyMs, async () => {
      const body = JSON.stringify({ refresh_token });
      try {
        const answer = await this.#send(
          '/auth/v1/token?grant_type=refresh_token',
          post(body),
          this.anonKey,
        );
        ({ refresh_token } = Session.parse(await answer.json()));
        this.ledger.refreshes += 1;
      } catch (error) {
        this.ledger.signedOut += 1;
        throw error;
      }
    });
  }

  /** A board that shows reports live, and loads its list again whenever its channel comes back. @returns what it shows */
  board(): { shown: ReadonlySet<string>; close: () => Promise<unknown> } {
    const shown = new Set<string>();
    const client = createClient<Database>(this.url, this.serviceKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    });
    const reload = async () => {
      const PAGE = 1000;
      for (let from = 0; ; from += PAGE) {
        const { data } = await client
          .from('incidents')
          .select('id')
          .order('created_at')
          .order('id')
          .range(from, from + PAGE - 1);
        for (const { id } of data ?? []) shown.add(id);
        if ((data ?? []).length < PAGE) return;
      }
    };
    client
      .channel('board')
      .on(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'incidents' },
        (change) => {
          if (typeof change.new.id === 'string') shown.add(change.new.id);
        },
      )
      .on('system', {}, ({ status }) => {
        if (status === 'ok') void reload();
      })
      .subscribe();
    return { shown, close: () => client.removeAllChannels() };
  }

  /** Lets everybody finish what they are sending. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#work);
  }
}

const post = (body: string) => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
});

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code || error.name;
}
