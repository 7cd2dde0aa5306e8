// Sends one word of the instructor's to the server and says what came of it.
"use strict";

// Each word waits for the reply to the one before: on two connections the later could arrive first,
// and an older count would replace a newer one.
let last = Promise.resolve();

function send(path, body) {
  return (last = last.then(() => deliver(path, body)));
}

async function deliver(path, body) {
  try {
    const reply = await fetch(path + (document.body.dataset.query || ""), {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
      signal: AbortSignal.timeout(10_000), // a server that hangs holds back no later word
    });
    const answer = await reply.json();
    if (!reply.ok) {
      by("said").textContent = `Not done: ${answer.error}`;
      return null;
    }
    by("said").textContent = "";
    return answer;
  } catch {
    by("said").textContent = "Not done: the server does not answer.";
    return null;
  }
}
