// The contact form posted without JavaScript, and the mails to the company.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { answerForm } from './answer-form.ts';
import { enquiryMails } from './mail-enquiries.ts';

/** @param webDir the built web app */
export function enquiries(webDir: string, context: Context): FastifyPluginAsync {
  return async (app) => {
    const { rows } = await context.database.owner.query<{ known: boolean }>(
      `select to_regclass('private.enquiry_mails') is not null as known`,
    );
    // Another project served from PROJECT_DIR has no contact form.
    if (!rows[0]?.known) return;
    const mails = enquiryMails(context, app.log);
    app.addHook('onReady', async () => mails.start());
    app.addHook('onClose', () => mails.stop());
    await app.register(answerForm(webDir, context));
  };
}
