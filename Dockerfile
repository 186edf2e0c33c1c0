FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN node scripts/setup.js install
COPY . .
RUN node scripts/setup.js build

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN node scripts/setup.js install --omit=dev && mkdir /data && chown node:node /data
COPY server ./server
COPY shared ./shared
COPY migrations ./migrations
COPY demo ./demo
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 3000 3001
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:3000/api/health/live').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["node", "--max-semi-space-size=16", "server/main.ts"]
