// The realtime service, /realtime/v1: Phoenix channels over a socket, fed by PostgreSQL's logical replication.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../../context.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import { announce } from './channel/announce.ts';
import { broadcastRoutes } from './channel/broadcast-routes.ts';
import { tableChecks } from './channel/check-subscription.ts';
import { handleFrame } from './channel/handle-frame.ts';
import { Hub } from './channel/hub.ts';
import { type Joining, placeInLog } from './channel/join.ts';
import { Presence } from './channel/presence.ts';
import { sweep, sweepSessions } from './channel/sweep.ts';
import { GOODBYE_MS } from './limits.ts';
import { authorizeSocket, openingOf } from './socket/connect.ts';
import { Socket } from './socket/socket.ts';

const SWEEP_MS = 1_000;

export function realtimeService(context: Context): FastifyPluginAsync {
  return async (app) => {
    const { log } = app;
    const feed = new ChangeFeed(context.database, log);
    const hub = new Hub(feed);
    const presence = new Presence(hub);
    const { database } = context;
    const joining: Joining = {
      ...{ context, database, feed, hub, presence, log },
      checks: tableChecks(database),
      placeInLog: placeInLog({ database, log }),
    };

    feed.watch(() => {
      for (const channel of hub.channels()) void announce(joining, channel);
    });
    let isAsking = false;
    const timer = setInterval(() => {
      sweep(hub, context.now());
      if (isAsking) return;
      isAsking = true;
      void sweepSessions(hub, context.database.auth)
        .catch((error: unknown) => log.warn({ err: error }, 'sessions could not be looked at'))
        .finally(() => {
          isAsking = false;
        });
    }, SWEEP_MS).unref();

    app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
      const status = error.statusCode ?? 500;
      if (status >= 500) request.log.error({ err: error }, 'request failed');
      const message =
        status >= 500 ? `Something went wrong on our side. Quote ${request.id}.` : error.message;
      await reply.code(status).send({ error: message, message });
    });

    app.get(
      '/websocket',
      {
        websocket: true,
        preValidation: (request, reply) => authorizeSocket(context.keys, request, reply),
      },
      (webSocket, request) => {
        const { apiKey = '', version } = openingOf(request);
        const socket = new Socket(webSocket, request.raw.socket, version, apiKey, Date.now());
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
      clearInterval(timer);
      const sockets = hub.sockets();
      for (const socket of sockets) socket.goAway();
      // A client that does not answer, or reads nothing, must not hold up the stop.
      const closed = Promise.all(
        sockets.map((socket) => new Promise((resolve) => socket.webSocket.once('close', resolve))),
      );
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS))]);
      for (const socket of sockets) socket.terminate();
      await feed.close();
    });
  };
}
