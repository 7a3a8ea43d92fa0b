// The realtime service, /realtime/v1: Phoenix channels over a socket, fed by PostgreSQL's logical replication.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../../context.ts';
import { isUnavailable, RETRY_AFTER_S } from '../../database/unavailable.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import { AccessWatch } from './channel/access-watch.ts';
import { announce } from './channel/announce.ts';
import { spread } from './channel/broadcast.ts';
import { broadcastRoutes } from './channel/broadcast-routes.ts';
import { tableChecks } from './channel/check-subscription.ts';
import { handleFrame } from './channel/handle-frame.ts';
import { Hub } from './channel/hub.ts';
import { type Joining, placeInLog, tellOfReplication } from './channel/join.ts';
import { Presence } from './channel/presence.ts';
import { spreadStored } from './channel/stored-broadcasts.ts';
import { relieve, sweep } from './channel/sweep.ts';
import { tidyStored } from './channel/tidy-stored.ts';
import { GOODBYE_MS, SOCKETS } from './limits.ts';
import { type PeerListener, Peers } from './peers/peers.ts';
import { authorizeSocket, openingOf } from './socket/connect.ts';
import { Socket } from './socket/socket.ts';

const SWEEP_MS = 1_000;

/** What other processes say reaches the members in this one. */
function listenerFor(hub: Hub, presence: Presence): PeerListener {
  return {
    broadcast: (topic, isPrivate, broadcast) => spread(hub, topic, isPrivate, broadcast),
    presence: (peer, entry) => presence.fromPeer(peer, entry),
    presences: (peer, present) => presence.allOfPeer(peer, present),
    ownPresences: () => presence.own(),
  };
}

export function realtimeService(context: Context): FastifyPluginAsync {
  return async (app) => {
    const { log } = app;
    const { database } = context;
    const feed = new ChangeFeed(database, log);
    const hub = new Hub(feed);
    const presence = new Presence(hub);
    const access = new AccessWatch({ database, feed, log }, hub);
    const peers = new Peers({ database, feed, log }, listenerFor(hub, presence));
    presence.outward = (entry) => peers.presence(entry);
    feed.onRow('realtime.messages', (change) => spreadStored(hub, change));
    const joining: Joining = {
      ...{ context, database, feed, hub, presence, access, peers, log },
      checks: tableChecks(database),
      placeInLog: placeInLog({ database, log }),
    };

    feed.watch(() => {
      for (const channel of hub.channels()) {
        void announce(joining, channel);
        void tellOfReplication(joining, channel);
      }
    });
    const timer = setInterval(() => {
      sweep(hub, context.now());
      relieve(hub);
    }, SWEEP_MS).unref();
    const stopTidying = tidyStored(database, log);
    let isClosing = false;

    app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
      if (isUnavailable(error)) {
        request.log.warn({ err: error }, 'the database is not available');
        const message = 'The database is not available at the moment. Please try again.';
        return reply
          .code(503)
          .header('retry-after', RETRY_AFTER_S)
          .send({ error: message, message });
      }
      const status = error.statusCode ?? 500;
      if (status >= 500) request.log.error({ err: error }, 'request failed');
      const message =
        status >= 500 ? `Something went wrong on our side. Quote ${request.id}.` : error.message;
      return reply.code(status).send({ error: message, message });
    });

    app.get(
      '/websocket',
      {
        websocket: true,
        preValidation: async (request, reply) => {
          if (isClosing) return reply.code(503).send({ error: 'The server is stopping' });
          if (hub.size >= SOCKETS) return reply.code(429).send({ error: 'Too many connections' });
          await authorizeSocket(context.keys, request, reply);
        },
      },
      (webSocket, request) => {
        const { apiKey = '', version } = openingOf(request);
        const socket = new Socket(webSocket, request.raw.socket, version, apiKey, Date.now());
        if (isClosing) {
          // It was authorized while the others were told to go away.
          socket.goAway();
          return;
        }
        hub.add(socket);
        webSocket.on('close', () => hub.remove(socket));
        socket.listen(
          (frame) => handleFrame(joining, socket, frame),
          (error) => log.error({ err: error }, 'a frame could not be handled'),
        );
      },
    );

    await app.register(broadcastRoutes(joining), { prefix: '/api' });

    app.addHook('preClose', async () => {
      isClosing = true;
      clearInterval(timer);
      access.close();
      await stopTidying();
      const sockets = hub.sockets();
      for (const socket of sockets) socket.goAway();
      // A client that does not answer, or reads nothing, must not hold up the stop.
      const closed = Promise.all(
        sockets.map((socket) => new Promise((resolve) => socket.webSocket.once('close', resolve))),
      );
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS))]);
      for (const socket of sockets) socket.terminate();
      await peers.close();
      await feed.close();
    });
  };
}
