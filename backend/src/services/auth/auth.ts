// The auth service under /auth/v1: routes in order. API, responses and error codes are GoTrue's (github.com/supabase/auth).
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import {
  deleteFactor,
  deletePasskeyOf,
  listFactors,
  listPasskeysOf,
} from './endpoints/admin/credentials.ts';
import { generateLink } from './endpoints/admin/generate-link.ts';
import {
  createSsoProvider,
  deleteSsoProvider,
  getSsoProvider,
  listSsoProviders,
  updateSsoProvider,
} from './endpoints/admin/sso-providers.ts';
import {
  createUser,
  deleteUser,
  getAnyUser,
  listUsers,
  updateAnyUser,
} from './endpoints/admin/users.ts';
import { challengeFactor, enrollFactor, unenrollFactor } from './endpoints/factors.ts';
import { authorize, callback, deleteIdentity, linkIdentity } from './endpoints/oauth.ts';
import {
  deletePasskey,
  listPasskeys,
  namePasskey,
  passkeyCreationOptions,
  passkeyRequestOptions,
  registerPasskey,
  signInWithPasskey,
} from './endpoints/passkeys.ts';
import { invite, otp, reauthenticate, recover, resend } from './endpoints/request-code.ts';
import { samlConsumer, samlMetadata, singleSignOn } from './endpoints/saml.ts';
import { health, jwks, openidConfiguration, settings } from './endpoints/server-info.ts';
import { signUp } from './endpoints/sign-up.ts';
import { token } from './endpoints/token.ts';
import { getUser, logout, updateUser } from './endpoints/user.ts';
import { verify, verifyLink } from './endpoints/verify.ts';
import { verifyFactor } from './endpoints/verify-factor.ts';
import { authError, errors } from './errors.ts';
import { notifyNewDevice, queuedNotices } from './mail/notices.ts';
import { startUpkeep } from './prune.ts';
import { renderError } from './render-error.ts';
import { type Call, type Endpoint, openService, toCall } from './service.ts';
import { requireAdmin } from './sessions/authenticate.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

type Routes = Record<string, Partial<Record<Method, Endpoint>>>;

const ROUTES: Routes = {
  // No token needed.
  '/signup': { POST: signUp },
  '/token': { POST: token },
  '/recover': { POST: recover },
  '/otp': { POST: otp },
  '/magiclink': { POST: otp },
  '/resend': { POST: resend },
  '/verify': { GET: verifyLink, POST: verify },
  '/authorize': { GET: authorize },
  '/sso': { POST: singleSignOn },
  '/sso/saml/metadata': { GET: samlMetadata },
  '/sso/saml/acs': { POST: samlConsumer },
  '/callback': { GET: callback, POST: callback },
  '/passkeys/authentication/options': { POST: passkeyRequestOptions },
  '/passkeys/authentication/verify': { POST: signInWithPasskey },
  '/settings': { GET: settings },
  '/health': { GET: health },
  '/.well-known/jwks.json': { GET: jwks },
  '/.well-known/openid-configuration': { GET: openidConfiguration },
  // Signed-in users.
  '/user': { GET: getUser, PUT: updateUser },
  '/logout': { POST: logout },
  '/user/identities/authorize': { GET: linkIdentity },
  '/user/identities/:id': { DELETE: deleteIdentity },
  '/reauthenticate': { GET: reauthenticate },
  '/factors': { POST: enrollFactor },
  '/factors/:id': { DELETE: unenrollFactor },
  '/factors/:id/challenge': { POST: challengeFactor },
  '/factors/:id/verify': { POST: verifyFactor },
  '/passkeys': { GET: listPasskeys },
  '/passkeys/registration/options': { POST: passkeyCreationOptions },
  '/passkeys/registration/verify': { POST: registerPasskey },
  '/passkeys/:passkeyId': { PATCH: namePasskey, DELETE: deletePasskey },
  // These check the service key themselves, after whether passkeys are enabled.
  '/admin/users/:id/passkeys': { GET: listPasskeysOf },
  '/admin/users/:id/passkeys/:passkeyId': { DELETE: deletePasskeyOf },
};

/** Need the service key. */
const ADMIN_ROUTES: Routes = {
  '/invite': { POST: invite },
  '/admin/generate_link': { POST: generateLink },
  '/admin/users': { GET: listUsers, POST: createUser },
  '/admin/users/:id': { GET: getAnyUser, PUT: updateAnyUser, DELETE: deleteUser },
  '/admin/sso/providers': { GET: listSsoProviders, POST: createSsoProvider },
  '/admin/sso/providers/:id': {
    GET: getSsoProvider,
    PUT: updateSsoProvider,
    DELETE: deleteSsoProvider,
  },
  '/admin/users/:id/factors': { GET: listFactors },
  '/admin/users/:id/factors/:factorId': { DELETE: deleteFactor },
};

/** GET by a browser that follows a link. HEAD, with which programs look at links, must not spend them (RFC 9110 section 9.2.1). */
const WITH_EFFECT = new Set<Endpoint>([
  verifyLink,
  authorize,
  callback,
  linkIdentity,
  reauthenticate,
]);

export function authService(context: Context): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    const service = await openService(context);
    const stopUpkeep = startUpkeep(service, app.log);
    const notices = queuedNotices(service, app.log);
    app.addHook('onReady', async () => notices.start());
    app.addHook('onClose', async () => {
      await Promise.all([stopUpkeep(), notices.stop()]);
      await Promise.all(service.open);
    });
    app.addHook('onResponse', async (request, reply) =>
      notifyNewDevice(toCall(service, request, reply)),
    );
    // Responses contain tokens and personal data, which no cache may store.
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    app.setErrorHandler(renderError);
    // A route instead of a not-found handler: the web app answers all unknown paths.
    app.all('/*', (request, reply) =>
      request.method === 'OPTIONS'
        ? reply.code(204).send()
        : renderError(authError('unknownRoute'), request, reply),
    );
    // Ignores the content type, as GoTrue does: each endpoint parses the bytes itself.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });

    const add = (routes: Routes, check?: (call: Call) => Promise<void>): void => {
      for (const [url, endpoints] of Object.entries(routes)) {
        for (const method of METHODS) {
          const endpoint = endpoints[method];
          const handler = async (request: FastifyRequest, reply: FastifyReply) => {
            if (endpoint === undefined) throw errors.wrongMethod(method);
            if (request.method === 'HEAD' && WITH_EFFECT.has(endpoint)) return reply.send();
            const call = toCall(service, request, reply);
            await check?.(call);
            return endpoint(call);
          };
          app.route({ method, url, handler });
        }
      }
    };
    add(ROUTES);
    add(ADMIN_ROUTES, requireAdmin);
  };
}
