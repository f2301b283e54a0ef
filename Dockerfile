# The service and the projector worker: `docker build -t sim-racing-timing .`
FROM node:24-bookworm-slim AS build
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
RUN npm prune --omit=dev

FROM node:24-bookworm-slim
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
# Liveness says whether to restart the container; readiness, whether to send requests.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/actuator/health/liveness`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--min-semi-space-size=16", "--max-semi-space-size=32", "dist/src/main.js", "serve"]
