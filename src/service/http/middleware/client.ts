import type { RequestHandler } from 'express';
import { isPassedOn } from '../client-address.ts';
import type { Clients } from '../clients.ts';

/**
 * Finds whose request it is: the address of the connection, or the one that a trusted proxy names. Express's `trust proxy`
 * and `req.ip` would take `unknown`, or an address with its port, for a client's name, which then had a quota for each
 * connection.
 */
export function client(clients: Clients): RequestHandler {
  return ({ headers, socket }, res, next) => {
    const peer = clients.peers.get(socket) ?? clients.peerOf(socket);
    const passesOn = (peer.isProxy || peer.client === null) && isPassedOn(headers);
    const found = passesOn ? clients.behind(peer, headers) : peer;
    res.remoteAddress = found.address;
    res.client = found.client;
    next();
  };
}
