// Mails each new enquiry to the company, after it was stored: what fails is tried again, later and later, for two days.
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { company } from '#company';
import type { Context } from '../context.ts';
import { layOut } from '../mail/layout.ts';
import { type Enquiry, enquiryMessage } from './message.ts';

const LOOK_EVERY_MS = 2_000;
/** After the database did not answer. */
const LOOK_AGAIN_MS = 30_000;
/** A mail on its way may hold up the end of the server for so long; else it is sent again by the next one. */
const STOP_MS = 2_000;
const LAST_ATTEMPT = 16;

/** Several processes share the work: what one took, the others pass over until it is due again. */
const TAKE = `
  update private.enquiry_mails m
  set attempts = m.attempts + 1,
      next_at = now() + least(interval '6 hours', interval '1 minute' * 2 ^ m.attempts)
  from (
    select enquiry_id from private.enquiry_mails
    where next_at <= now() order by next_at limit 5 for update skip locked
  ) due
  join public.contact_messages c on c.id = due.enquiry_id
  where m.enquiry_id = due.enquiry_id
  returning c.id, c.name, c.email, c.company, c.message`;
const DONE = 'delete from private.enquiry_mails where enquiry_id = $1';
const FAILED = `
  update private.enquiry_mails
  set last_error = $2, next_at = case when attempts < ${LAST_ATTEMPT} then next_at end
  where enquiry_id = $1`;

export class EnquiryMails {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly context: Context,
    private readonly log: FastifyBaseLogger,
  ) {}

  start(delayMs = LOOK_EVERY_MS): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.working = this.sendDue().then(
        () => this.start(),
        (error: unknown) => {
          this.log.warn({ err: error }, 'enquiries not looked for');
          this.start(LOOK_AGAIN_MS);
        },
      );
    }, delayMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.race([this.working, pause(STOP_MS, undefined, { ref: false })]);
  }

  private async sendDue(): Promise<void> {
    const { rows } = await this.context.database.owner.query<Enquiry>(TAKE);
    for (const enquiry of rows) {
      if (this.stopped) return;
      await this.send(enquiry);
    }
  }

  private async send(enquiry: Enquiry): Promise<void> {
    const { database, mailer, siteUrl } = this.context;
    const isAddress = z.email().safeParse(enquiry.email).success;
    try {
      const { file } = await mailer.send({
        ...layOut(company.email, enquiryMessage(enquiry, siteUrl())),
        ...(isAddress ? { replyTo: { name: enquiry.name, address: enquiry.email } } : {}),
      });
      if (file !== undefined) this.log.info({ file }, 'enquiry written to the outbox');
      await database.owner.query(DONE, [enquiry.id]);
    } catch (error) {
      if (this.stopped) return;
      this.log.error({ err: error, enquiry: enquiry.id }, 'enquiry not mailed; tried again later');
      await database.owner.query(FAILED, [enquiry.id, String(error).slice(0, 500)]);
    }
  }
}
