// Sends one word of the instructor's to the server and says what came of it.
"use strict";

async function send(path, body) {
  try {
    const reply = await fetch(path + (document.body.dataset.query || ""), {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
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
