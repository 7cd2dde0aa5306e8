// The body of a <style onload="…">: `this` is that style element. ROOT and NAME are filled in.
// Attributes that are watched (class, disabled) are never written here, so that the observer
// cannot call itself.
const style = this, begin = (tries) => {
  const root = style.closest('.ROOT');
  if (!root) { if (tries < 100) setTimeout(() => begin(tries + 1), 50); return; }
  window.attnMended = (window.attnMended || 0) + 1;
  const name = 'NAME-' + window.attnMended;
  const all = (query, each) => root.querySelectorAll(query).forEach(each);
  const set = (e, key, value) => {
    if (e && e.getAttribute(key) !== value) e.setAttribute(key, value);
  };
  const said = (e) => { const l = e.querySelector('label'); return l ? l.textContent : ''; };
  const mend = () => {
    all('.widget-slider', (e) => {
      const handle = e.querySelector('[role=slider]');
      set(handle, 'aria-label', said(e));
      const pair = e.closest('.attn-pair'), value = pair && pair.querySelector('.attn-value input');
      if (value && Number(value.value) > 0) set(handle, 'aria-valuetext', value.value);
    });
    all('.widget-radio', (e, i) => {
      const box = e.querySelector('.widget-radio-box');
      set(box, 'role', 'radiogroup');
      set(box, 'aria-label', said(e));
      e.querySelectorAll('input').forEach((x) => set(x, 'name', name + '-' + i));
    });
    all('.widget-toggle-buttons', (e) => {
      set(e, 'role', 'group');
      set(e, 'aria-label', said(e));
    });
    all('.widget-toggle-button', (e) =>
      set(e, 'aria-pressed', String(e.classList.contains('mod-active'))));
    all('.attn-live', (e) => set(e, 'aria-live', 'polite'));
    all('.attn-roving', (grid) => {
      const cells = [...grid.querySelectorAll('button')];
      const here = cells.includes(grid.attnCell) ? grid.attnCell : cells[0];
      cells.forEach((b) => set(b, 'tabindex', b === here ? '0' : '-1'));
    });
    all('button, select, summary, input[type=radio], input[type=checkbox], [role=slider]',
      (e) => set(e, 'data-lm-suppress-shortcuts', 'true'));
  };
  // What was scrolled sideways stays so when a picture is replaced by its successor.
  const scrolled = [], blocks = () => [...root.querySelectorAll('.attn-scroll')];
  const keep = () => blocks().forEach((e, i) => {
    if (!e.attnKept && scrolled[i]) e.scrollLeft = scrolled[i];
    e.attnKept = true;
  });
  root.addEventListener('scroll', (event) => {
    const i = blocks().indexOf(event.target);
    if (i >= 0 && event.target.attnKept) scrolled[i] = event.target.scrollLeft;
  }, true);
  // A field reached by Tab is selected whole. A late value from the kernel undoes that, and what
  // is typed then would be appended to it.
  let fresh = null, pointed = false;
  root.addEventListener('pointerdown', () => { pointed = true; fresh = null; }, true);
  root.addEventListener('focusin', (event) => {
    fresh = !pointed && event.target.matches('input[type=text], input[type=number]') ? event.target : null;
    pointed = false;
  });
  root.addEventListener('keydown', (event) => {
    const writes = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (fresh && fresh === event.target && writes) fresh.select();
    if (!['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) fresh = null;
  }, true);
  let last = null, waiting = 0;
  const open = (e) => e && e.isConnected && !e.disabled && e.offsetParent;
  const rescue = () => {
    const focus = document.activeElement;
    if (!last || open(last) || (focus && focus !== document.body && focus !== last)) return;
    const all = [...root.querySelectorAll('button, input, select')].filter(open);
    const next = all.find((e) => e.closest('.attn-again')) || all[0];
    if (next) next.focus();
  };
  const watch = () => { mend(); keep(); clearTimeout(waiting); waiting = setTimeout(rescue, 120); };
  root.addEventListener('focusin', (event) => {
    last = event.target;
    const grid = last.closest('.attn-roving');
    if (grid) { grid.attnCell = last; mend(); }
  });
  root.addEventListener('focusout', (event) => {
    if (event.relatedTarget) last = null;
  });
  root.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key], from = event.target;
    const grid = from.matches('button') && from.closest('.widget-gridbox');
    if (!step || !grid) return;
    const at = from.getBoundingClientRect();
    let nearest = null, least = 1e9;
    grid.querySelectorAll('button:not(:disabled)').forEach((b) => {
      const box = b.getBoundingClientRect(), dx = box.x - at.x, dy = box.y - at.y;
      const along = dx * step[0] + dy * step[1];
      const aside = Math.abs(dx * step[1]) + Math.abs(dy * step[0]);
      if (along > 4 && aside < 4 && along < least) { least = along; nearest = b; }
    });
    event.preventDefault();
    event.stopPropagation();
    if (nearest) nearest.focus();
  }, true);
  // A control keeps the notebook's shortcuts away (see above), so two keys hand the keyboard back:
  // Escape to the cell, and Shift+Enter too, which would otherwise press the button.
  root.addEventListener('keydown', (event) => {
    const cell = root.closest('.jp-Cell'), from = event.target;
    const runs = event.key === 'Enter' && (event.shiftKey || event.ctrlKey || event.altKey)
      && from.hasAttribute('data-lm-suppress-shortcuts');
    if (!cell || !(runs || event.key === 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    cell.focus();
    if (runs) cell.dispatchEvent(new KeyboardEvent('keydown', event));
  }, true);
  mend();
  keep();
  new MutationObserver(watch).observe(root,
    { childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'disabled'] });
};
begin(0);
