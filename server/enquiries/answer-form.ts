// POST /contact: the contact form as a browser sends it without JavaScript, answered with a page.
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import {
  type ContactOutcome,
  type TypedContact,
  validateContactForm,
} from '../../shared/contact-message.ts';
import { CONTACT_TEXTS } from '../../shared/contact-texts.ts';
import { openPage } from '../web/page.ts';
import { openAnswerPages } from './answer-pages.ts';
import { storeEnquiry } from './store-enquiry.ts';

/** Bytes; the longest valid form, all of it percent-encoded, has 28 kB. */
const BODY_LIMIT = 64 * 1024;

function readForm(body: URLSearchParams): TypedContact {
  // As a script would read it: line ends are one character, and no text holds a NUL.
  const text = (name: string): string =>
    (body.get(name) ?? '').replaceAll('\r\n', '\n').replaceAll('\0', '');
  return {
    name: text('name'),
    email: text('email'),
    company: text('company'),
    message: text('message'),
    website: text('website'),
  };
}

/** Whether the form was sent from a page of ours, as far as the browser tells. */
function isOwnForm(request: FastifyRequest, siteUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = request.headers;
  if (origin === undefined) return true;
  return [request.host, new URL(siteUrl).host].some(
    (host) => origin === `https://${host}` || origin === `http://${host}`,
  );
}

interface Answer {
  status: number;
  outcome: ContactOutcome;
  /** Seconds. */
  retryAfter?: number;
}

/** @param webDir the built web app */
export function answerForm(webDir: string, context: Context): FastifyPluginAsync {
  return async (app) => {
    const pages = openAnswerPages(webDir);

    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );

    async function answer(request: FastifyRequest): Promise<Answer> {
      const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const typed = readForm(body);
      const refuse = (status: number, reason: string, more: Partial<Answer> = {}): Answer => ({
        status,
        outcome: { sent: false, typed, errors: {}, title: 'Error', reason },
        ...more,
      });
      if (!isOwnForm(request, context.siteUrl())) {
        return refuse(403, 'Please send the form from our own page.');
      }
      const validation = validateContactForm(typed);
      if (!validation.valid) {
        const { errors, first } = validation;
        const title = CONTACT_TEXTS.invalid;
        return { status: 422, outcome: { sent: false, typed, errors, title, reason: first } };
      }
      if (typed.website !== '') return { status: 200, outcome: { sent: true } };
      const stored = await storeEnquiry(context.database, request.ip, validation.message);
      if (stored.kind === 'stored') return { status: 200, outcome: { sent: true } };
      if (stored.kind === 'limited') {
        return refuse(429, stored.message, { retryAfter: stored.retryAfter });
      }
      request.log.error({ err: stored.error }, 'enquiry not stored');
      return refuse(500, CONTACT_TEXTS.failed);
    }

    app.post('/contact', async (request, reply) => {
      const { status, outcome, retryAfter } = await answer(request);
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
      // What somebody typed is nobody else's to keep.
      return openPage(await pages.render(outcome), 'no-store').send(request, reply, status);
    });

    // A reload of the answer, or its address opened anew.
    app.get('/contact', async (_request, reply) => reply.redirect('/#contact-form', 303));
  };
}
