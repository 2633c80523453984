# Two stages: the first builds and packs, the last holds Node, the packed program and its packages, and nothing to build with.
FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build --silent && npm pack --silent --pack-destination /pack \
 && cp package.json package-lock.json /pack/ && cd /pack \
 && npm ci --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund \
 && tar -xzf flavourbench-*.tgz && mv node_modules package/node_modules

FROM node:20-bookworm-slim
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn*
COPY --from=build /pack/package /opt/flavourbench
RUN ln -s /opt/flavourbench/dist/bundle/run.cjs /usr/local/bin/flavourbench
USER node
WORKDIR /data
EXPOSE 8080
ENTRYPOINT ["node", "/opt/flavourbench/dist/bundle/run.cjs"]
CMD ["--help"]
