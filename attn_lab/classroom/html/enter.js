// The key stands after the "#", so that it is in no log, and it is sent once.
"use strict";

const said = document.getElementById("said");

async function enter() {
  const key = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (!key) {
    said.textContent = "This browser has not been let in: open the link that attn-lab class prints.";
    return;
  }
  const reply = await fetch("enter-with", {
    method: "POST",
    body: JSON.stringify({ key }),
    headers: { "Content-Type": "application/json" },
  });
  if (reply.ok) {
    location.replace("desk");
    return;
  }
  const answer = await reply.json().catch(() => ({}));
  said.textContent = "Not let in: " + (answer.error || "the server did not answer as expected") + ".";
}

function come() {
  enter().catch(() => {
    said.textContent = "The server does not answer. Is attn-lab class still running?";
  });
}

come();
// A new link that is pasted into this open page changes only what stands after the "#".
addEventListener("hashchange", come);
