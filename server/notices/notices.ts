// Sends notices by web push, e-mail and text message.
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { layOut } from 'supabase-in-node/mail-layout';
import { Rounds } from 'supabase-in-node/rounds';
import { openSmsSender, type SmsSender } from 'supabase-in-node/sms';
import { hasTable } from 'supabase-in-node/with-client';
import { company } from '#company';
import { Deliveries, type Delivery } from './deliveries.ts';
import { buildMail, buildPush, buildText } from './message.ts';
import { openPushKeys, type PushKeys } from './push-keys.ts';
import { sendPush } from './send-push.ts';

const LOOK_EVERY_MS = 1_000;
/** After a database error. */
const LOOK_AGAIN_MS = 30_000;
const PRUNE_EVERY_MS = 6 * 3_600_000;
/** How long messages being sent may delay the stop; after that the next process sends them again. */
const STOP_MS = 3_000;

/** Push services of Chrome, Edge, Firefox and Safari; `*` stands for any host name below. */
const KNOWN_SERVICES = [
  'https://fcm.googleapis.com',
  'https://*.push.services.mozilla.com',
  'https://*.notify.windows.com',
  'https://*.push.apple.com',
];

/** @param pushServices origins to which push messages may go, beside those of the known browsers */
export function notices(context: Context, pushServices: readonly string[]): FastifyPluginAsync {
  return async (app) => {
    const { owner } = context.database;
    // Another project served from PROJECT_DIR has no notices.
    if (!(await hasTable(owner, 'private.notice_deliveries'))) return;
    const texts = openSmsSender(context.settings, context.tracing);
    await owner.query('update private.settings set text_messages = $1, push_services = $2', [
      texts !== undefined,
      [...KNOWN_SERVICES, ...pushServices],
    ]);
    const keys = await openPushKeys(owner);
    const sender = new NoticeSender(new Deliveries(owner), context, { keys, texts }, app.log);
    app.addHook('onReady', async () => sender.start());
    app.addHook('onClose', () => sender.stop());
  };
}

class NoticeSender {
  readonly #rounds: Rounds;
  #prunedAt = 0;

  constructor(
    private readonly deliveries: Deliveries,
    private readonly context: Context,
    private readonly ways: { keys: PushKeys; texts: SmsSender | undefined },
    private readonly log: FastifyBaseLogger,
  ) {
    this.#rounds = new Rounds(() => this.#sendDue(), {
      everyMs: LOOK_EVERY_MS,
      afterErrorMs: LOOK_AGAIN_MS,
      stopMs: STOP_MS,
      onError: (error) => log.warn({ err: error }, 'notices not looked for'),
    });
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #sendDue(): Promise<void> {
    if (Date.now() - this.#prunedAt > PRUNE_EVERY_MS) {
      this.#prunedAt = Date.now();
      await this.deliveries.prune();
    }
    // Rounds until nothing is due: the leases of a round must not wait for another one.
    for (;;) {
      if (this.#rounds.isStopped) return;
      const due = await this.deliveries.take();
      if (due.length === 0) return;
      await Promise.all(due.map((delivery) => this.#send(delivery)));
    }
  }

  async #send(delivery: Delivery): Promise<void> {
    try {
      // Nothing is left to send when the person has read the notices in the portal.
      if (delivery.notices.length > 0) await this.#sendBy[delivery.channel](delivery);
      await this.deliveries.markSent(delivery);
    } catch (error) {
      this.log.warn({ err: error, delivery: delivery.id, channel: delivery.channel }, 'not sent');
      await this.deliveries.retryLater(delivery, String(error));
    }
  }

  readonly #sendBy: Record<Delivery['channel'], (delivery: Delivery) => Promise<void>> = {
    email: async ({ email, notices: unread }) => {
      if (email === null) return;
      const message = buildMail(unread, this.context.siteUrl());
      await this.context.mailer.send(layOut(email, message, company));
    },
    sms: async ({ phone, notices: unread, user_id }) => {
      if (phone === null || !this.ways.texts) return;
      const text = buildText(unread, this.context.siteUrl());
      await this.ways.texts.send({ phone: phone.slice(1), text, userId: user_id });
    },
    push: async (delivery) => {
      const payload = buildPush(delivery.id, delivery.notices);
      const results = await Promise.allSettled(
        delivery.subscriptions.map(async (subscription) => {
          const isAlive = await sendPush(subscription, payload, this.ways.keys);
          if (isAlive) await this.deliveries.markDevice(delivery, subscription);
          else await this.deliveries.forgetDevice(subscription);
        }),
      );
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}
