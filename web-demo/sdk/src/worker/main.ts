// The dedicated Worker in which a sandbox lives.

import type { Event, Port, ToClient, ToServer } from '../protocol.js';
import { serve } from '../rpc.js';
import { Session } from './session.js';

const port: Port<ToClient, ToServer> = {
  post: (message) => self.postMessage(message),
  listen: (listener) => self.addEventListener('message', ({ data }: MessageEvent<ToServer>) => listener(data)),
};
const tell = (event: Event): void => serving.event(event);
const serving = serve(port, Session.handlers(tell));
