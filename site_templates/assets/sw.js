// Reading without a network: the last pages seen, and no more. Nothing of another host is ever touched or kept.
"use strict";
const CACHE = "pages-1";
const MOST = 80;
const KEPT = /^(assets|feeds\/o)\//;
const AWAY = `<!doctype html><html lang="ko"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>인터넷에 이어져 있지 않습니다</title><h1>인터넷에 이어져 있지 않습니다</h1>
<p>이 쪽은 아직 본 적이 없어 보여 드릴 수 없습니다. 최근에 본 쪽은 이어지지 않아도 열립니다.</p><p><a href="./">새 글</a></p></html>`;

async function remember(request, answer) {
  if (!answer.ok || answer.redirected || answer.type !== "basic") return;
  const cache = await caches.open(CACHE);
  await cache.put(request, answer);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST)).map((old) => cache.delete(old)));
}

async function answer(event) {
  try {
    const fresh = await fetch(event.request);
    event.waitUntil(remember(event.request, fresh.clone()).catch(() => {})); // a full disk is no trouble of the page
    return fresh;
  } catch (e) {
    const kept = await caches.match(event.request, { ignoreSearch: true, ignoreVary: true });
    if (kept) return kept;
    if (event.request.mode !== "navigate") return Response.error();
    const page = AWAY.replace("./", self.registration.scope);
    return new Response(page, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
  }
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name !== CACHE));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const scope = self.registration.scope;
  if (request.method !== "GET" || !request.url.startsWith(scope)) return;
  if (request.mode === "navigate" || KEPT.test(request.url.slice(scope.length))) event.respondWith(answer(event));
});
