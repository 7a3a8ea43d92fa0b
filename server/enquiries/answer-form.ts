// POST /contact: the contact form as a browser sends it without JavaScript, answered with a page.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import {
  type ContactOutcome,
  type TypedContact,
  validateContactForm,
} from '../../shared/contact-message.ts';
import { CONTACT_TEXTS } from '../../shared/contact-texts.ts';
import { openPage } from '../web/page.ts';
import { storeEnquiry } from './store-enquiry.ts';

/** Bytes. The longest valid form, fully percent-encoded, has 28 kB. */
const BODY_LIMIT = 64 * 1024;

function readForm(body: URLSearchParams): TypedContact {
  // As JavaScript reads it: line ends are one character. PostgreSQL stores no NUL.
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

/** Whether the Origin header, if the browser sends one, is ours. */
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
      // The page repeats what the visitor typed, so it must not be cached.
      return openPage(await pages.render(outcome), 'no-store').send(request, reply, status);
    });

    // A reload of the result page, or its address opened again.
    app.get('/contact', async (_request, reply) => reply.redirect('/#contact-form', 303));
  };
}

// The pages that answer a posted form, rendered by the renderer that the web build writes to dist/site.

interface Renderer {
  contactAnswer(outcome: ContactOutcome): string;
}

function isRenderer(module: unknown): module is Renderer {
  return (
    typeof module === 'object' &&
    module !== null &&
    'contactAnswer' in module &&
    typeof module.contactAnswer === 'function'
  );
}

const BODY = '<!--answer-->';

/** @param webDir the built web app; the renderer and the page template are beside it */
function openAnswerPages(webDir: string) {
  const folder = path.join(webDir, '..', 'site');
  let parts: Promise<[Renderer, frame: string]> | undefined;

  // Loaded with the first posted form: there are few, and the start doesn't wait for it.
  const load = async (): Promise<[Renderer, frame: string]> => {
    const module: unknown = await import(pathToFileURL(path.join(folder, 'render.mjs')).href);
    if (!isRenderer(module)) throw new Error('dist/site/render.mjs draws no answers.');
    return [module, await readFile(path.join(folder, 'answer.html'), 'utf8')];
  };

  return {
    async render(outcome: ContactOutcome): Promise<string> {
      parts ??= load();
      const [renderer, frame] = await parts;
      return frame.replace(BODY, () => renderer.contactAnswer(outcome));
    },
  };
}
