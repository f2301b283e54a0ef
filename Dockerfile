# The service and the projector worker: `docker build -t sim-racing-timing .`
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src src
COPY commands commands
COPY projections projections
COPY queries queries
COPY infra infra
RUN npm run build
# What "Add a rig" offers.
RUN npm run bridge:mjs && npm run bridge:exe
RUN npm prune --omit=dev

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# `docker exec CONTAINER sim-racing-timing verify`
RUN mkdir bin && ln -s ../dist/src/main.js bin/sim-racing-timing && chmod 755 dist/src/main.js
ENV PATH=/app/bin:$PATH
USER node
VOLUME /data
EXPOSE 8080
# Liveness says whether to restart the container; readiness, whether to send requests. It follows TLS; the certificate is
# for the public name.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "require(process.env.TLS_CERT_FILE ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/actuator/health/liveness', rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--min-semi-space-size=16", "--max-semi-space-size=32", "dist/src/main.js", "serve"]
