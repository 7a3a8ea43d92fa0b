// /realtime/v1: Phoenix channels over WebSockets, fed by PostgreSQL's logical replication.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { prepareErrorReply } from '../../http/errors.ts';
import type { Keys } from '../../keys/keys.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import { deliverBroadcast, deliverStored, maintainPartitions } from './channel/broadcast.ts';
import { broadcastRoutes } from './channel/broadcast-routes.ts';
import {
  handleFrame,
  lsnReader,
  type Realtime,
  sendReplicationStatus,
} from './channel/handle-frame.ts';
import { closeExpired, closeSlowest, Hub } from './channel/hub.ts';
import { Presence } from './channel/presence.ts';
import { readToken, TokenError } from './channel/rights.ts';
import { SessionWatch } from './channel/session-watch.ts';
import { sendSubscriptionStatus, tableChecks } from './channel/subscription-status.ts';
import { MAX_SOCKETS, SHUTDOWN_WAIT_MS } from './limits.ts';
import { type PeerListener, Peers } from './peers/peers.ts';
import type { Version } from './socket/frames.ts';
import { Socket } from './socket/socket.ts';

const SWEEP_MS = 1_000;

function peerListener(hub: Hub, presence: Presence): PeerListener {
  return {
    broadcast: (topic, isPrivate, broadcast) => deliverBroadcast(hub, topic, isPrivate, broadcast),
    presence: (peer, entry) => presence.applyFromPeer(peer, entry),
    presences: (peer, entries) => presence.replaceOfPeer(peer, entries),
    localPresences: () => presence.local(),
  };
}

export function realtimeService(context: Context): FastifyPluginAsync {
  return async (app) => {
    const { log } = app;
    const { database } = context;
    const feed = new ChangeFeed(database, log);
    const hub = new Hub(feed);
    const presence = new Presence(hub);
    const sessions = new SessionWatch(database.auth, feed, hub, log);
    const peers = new Peers(database.owner, feed, log, peerListener(hub, presence));
    presence.onLocalChange = (change) => peers.presence(change);
    feed.onRow('realtime.messages', (change) => deliverStored(hub, change));
    const realtime: Realtime = {
      ...{ context, database, feed, hub, presence, sessions, peers, log },
      checks: tableChecks(database),
      currentLsn: lsnReader({ database, log }),
    };

    feed.watch(() => {
      for (const channel of hub.channels()) {
        void sendSubscriptionStatus(realtime, channel);
        void sendReplicationStatus(realtime, channel);
      }
    });
    const timer = setInterval(() => {
      closeExpired(hub, context.now());
      closeSlowest(hub);
    }, SWEEP_MS).unref();
    const stopMaintenance = maintainPartitions(database, log);
    let isClosing = false;

    app.setErrorHandler(async (error: Error, request, reply) => {
      const message = prepareErrorReply(error, request, reply);
      return reply.send({ error: message, message });
    });

    app.get(
      '/websocket',
      {
        websocket: true,
        preValidation: async (request, reply) => {
          if (isClosing) return reply.code(503).send({ error: 'The server is stopping' });
          if (hub.size >= MAX_SOCKETS) {
            return reply.code(429).send({ error: 'Too many connections' });
          }
          await authorizeSocket(context.keys, request, reply);
        },
      },
      (webSocket, request) => {
        const { apiKey = '', version } = connectParams(request);
        const socket = new Socket(webSocket, request.raw.socket, version, apiKey, Date.now());
        if (isClosing) {
          // Authorized while the other sockets were being closed.
          socket.close();
          return;
        }
        hub.add(socket);
        webSocket.on('close', () => hub.remove(socket));
        socket.listen(
          (frame) => handleFrame(realtime, socket, frame),
          (error) => log.error({ err: error }, 'could not handle a frame'),
        );
      },
    );

    await app.register(broadcastRoutes(realtime), { prefix: '/api' });

    app.addHook('preClose', async () => {
      isClosing = true;
      clearInterval(timer);
      sessions.close();
      await stopMaintenance();
      const sockets = hub.sockets();
      for (const socket of sockets) socket.close();
      // Clients that don't respond must not delay the shutdown.
      const closed = Promise.all(
        sockets.map((socket) => new Promise((resolve) => socket.webSocket.once('close', resolve))),
      );
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, SHUTDOWN_WAIT_MS))]);
      for (const socket of sockets) socket.terminate();
      await peers.close();
      await feed.close();
    });
  };
}

const Query = z.object({
  apikey: z.string().min(1).optional(),
  vsn: z.enum(['1.0.0', '2.0.0']).catch('1.0.0'),
});

interface ConnectParams {
  apiKey: string | undefined;
  version: Version;
}

function connectParams(request: FastifyRequest): ConnectParams {
  const query = Query.safeParse(request.query).data;
  const headers = [request.headers['x-api-key'], request.headers.apikey];
  const header = headers.find((value): value is string => typeof value === 'string');
  return { apiKey: query?.apikey ?? header, version: query?.vsn ?? '1.0.0' };
}

/** Rejects an invalid API key before the upgrade. */
async function authorizeSocket(
  keys: Keys,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { apiKey } = connectParams(request);
  if (apiKey === undefined) {
    await reply.code(401).send({ error: 'API key is missing' });
    return;
  }
  try {
    await readToken(keys, apiKey, new Date());
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    await reply.code(401).send({ error: error.message });
  }
}
