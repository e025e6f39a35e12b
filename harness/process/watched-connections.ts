import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const CHANNEL = 'net.client.socket';

/** The IP addresses that this process tries to connect to from now on, seen at its sockets. */
export function watchConnections(): { tried: string[]; stop: () => void } {
  const tried: string[] = [];
  const watch = (message: unknown) => {
    if (!isSocket(message)) return;
    message.socket.on('connectionAttempt', (ip: string) => tried.push(ip));
  };
  subscribe(CHANNEL, watch);
  return { tried, stop: () => unsubscribe(CHANNEL, watch) };
}

function isSocket(message: unknown): message is { socket: Socket } {
  return typeof message === 'object' && message !== null && 'socket' in message;
}
