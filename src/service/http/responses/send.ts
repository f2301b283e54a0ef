import type { Response } from 'express';
import type { EndpointResponse } from '../endpoint.ts';
import type { EventStreams } from '../event-stream.ts';
import type { FairTurns } from '../fair-turns.ts';
import type { RequestLog } from '../problem-responses.ts';
import { bufferedResponse, sendBuffered, sendEmpty } from './buffered.ts';
import { sendBytes } from './bytes.ts';
import { sendInCoding } from './coded.ts';
import { noBodies, sendComputed } from './computed.ts';
import { sendList } from './list.ts';

/** Dependencies of sending a response. */
export interface SenderServices {
  readonly log: RequestLog;
  /** Runs what may visit many documents, in turns. */
  readonly longReads: FairTurns;
  readonly eventStreams: EventStreams;
}

/** Sends what a handler has answered. */
export type Send = (res: Response, response: EndpointResponse) => Promise<void>;

/** Creates the sender of all endpoints, with one store of computed bodies. */
export function createSender({ log, longReads, eventStreams }: SenderServices): Send {
  const bodies = noBodies();
  return async (res, response) => {
    switch (response.kind) {
      case 'list':
        return sendList(res, response, longReads, log);
      case 'computed':
        return sendComputed(res, response, bodies, longReads);
      case 'stream':
        return sendBytes(res, response, log);
      case 'events':
        eventStreams.send(res, response);
        return;
      case 'empty':
        sendEmpty(res, response.status, response.headers);
        return;
      case 'resource':
        sendBuffered(res, bufferedResponse(response));
        return;
      case 'json':
        return sendInCoding(res, bufferedResponse(response));
      case 'text':
        return sendInCoding(res, bufferedResponse(response), response.coded);
    }
  };
}
