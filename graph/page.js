'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const svg = document.querySelector('svg.inferstack');
  const panel = byId('panel');
  let chosen = '';
  let shown = 0; // the object of the chosen node that is shown
  let step = -1;

  const element = (name, text, className) => {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  };
  const mark = (className, ids) => {
    svg.querySelectorAll('.' + className).forEach((e) => e.classList.remove(className));
    ids.forEach((id) => {
      const e = byId(id);
      if (e) e.classList.add(className);
      svg.querySelectorAll(`[data-edge="${id}"]`).forEach((b) => b.classList.add(className));
    });
  };
  const label = (id) => `${data.nodes[id].kind} ${data.nodes[id].name}`.trim();
  const edgesOf = (id) => Object.keys(data.edges).filter((e) => data.edges[e].from === id || data.edges[e].to === id);

  // YAML, with keys, strings and comments told apart. Everything is text, never markup.
  const yaml = (text) => {
    const pre = element('pre');
    pre.tabIndex = 0;
    pre.setAttribute('aria-label', 'YAML');
    for (const line of text.split('\n')) {
      const m = /^(\s*(?:- )*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#:][^:#]*?):)?(\s.*|)$/.exec(line);
      if (m && m[2]) {
        pre.append(m[1], element('span', m[2], 'key'), value(m[3]));
      } else if (/^\s*#/.test(line)) {
        pre.append(element('span', line, 'comment'));
      } else {
        pre.append(line);
      }
      pre.append('\n');
    }
    return pre;
  };
  const value = (text) => {
    const kind = /^\s+-?[\d.]+$|^\s+(true|false|null)$/.test(text) ? 'literal' : 'string';
    return element('span', text, kind);
  };

  const list = (title, items) => {
    if (!items.length) return [];
    const ul = element('ul');
    items.forEach((item) => { const li = element('li'); li.append(...[].concat(item)); ul.append(li); });
    return [element('h3', title), ul];
  };
  const link = (id) => {
    const b = element('button', label(id), 'link');
    b.type = 'button';
    b.addEventListener('click', () => { choose(id); byId(id).focus(); });
    return b;
  };
  const tabs = (node) => {
    const nav = element('div', undefined, 'tabs');
    node.objects.forEach((o, i) => {
      const b = element('button', `${o.kind} ${o.name}`);
      b.type = 'button';
      b.setAttribute('aria-pressed', String(i === shown));
      b.addEventListener('click', () => { shown = i; show(); });
      nav.append(b);
    });
    return nav;
  };

  const show = () => {
    const node = data.nodes[chosen];
    panel.replaceChildren();
    if (!node) {
      panel.append(element('p', 'Choose a node to see its YAML, or follow a request with “Request path”.', 'hint'));
      return;
    }
    panel.append(element('p', node.kind, 'kind'), element('h2', node.name));
    const object = node.objects[shown];
    if (object) panel.append(element('p', object.where, 'where'));
    else panel.append(element('p', node.note, 'where'));
    panel.append(...list('Findings', node.findings.map((f) => [element('b', f.severity), `: ${f.message}`, f.remedy ? ` ${f.remedy}` : '', ` [${f.rule}]`])));
    panel.append(...list('References', edgesOf(chosen).map((id) => {
      const e = data.edges[id];
      return e.from === chosen ? [`${e.how} → `, link(e.to)] : [link(e.from), ` → ${e.how}`];
    })));
    if (node.objects.length > 1) panel.append(element('h3', 'Objects'), tabs(node));
    if (object) panel.append(element('h3', 'YAML'), yaml(object.yaml));
    panel.scrollTop = 0;
  };

  const choose = (id) => {
    if (chosen) byId(chosen).setAttribute('aria-pressed', 'false');
    chosen = id;
    shown = 0;
    mark('chosen', id ? [id] : []);
    mark('near', id ? edgesOf(id) : []);
    if (id) byId(id).setAttribute('aria-pressed', 'true');
    show();
  };

  // The way of a request, step by step.
  const path = () => data.paths[Number(byId('path').value) || 0];
  const follow = (to) => {
    const steps = path() ? path().steps : [];
    step = Math.max(-1, Math.min(to, steps.length - 1));
    svg.classList.toggle('stepping', step >= 0);
    byId('steps').hidden = step < 0;
    byId('walk').setAttribute('aria-pressed', String(step >= 0));
    const now = step >= 0 ? steps[step].edges : [];
    const past = steps.slice(0, Math.max(step, 0)).flatMap((s) => s.edges);
    const ends = (edges) => edges.flatMap((e) => [data.edges[e].from, data.edges[e].to]);
    mark('past', past.concat(ends(past)));
    mark('on', now.concat(ends(now)));
    if (step < 0) return;
    byId('number').textContent = steps[step].number;
    byId('text').textContent = steps[step].text;
    byId('count').textContent = `${step + 1} of ${steps.length}`;
    byId('back').disabled = step === 0;
    byId('next').disabled = step === steps.length - 1;
    const target = data.edges[now[0]].to;
    choose(target);
    byId(target).scrollIntoView({block: 'center', inline: 'nearest'});
  };

  // Search in names, kinds and YAML.
  let hits = [];
  const search = () => {
    const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    hits = words.length ? Object.keys(data.nodes).filter((id) => {
      const n = data.nodes[id];
      const text = [n.kind, n.name].concat(n.objects.map((o) => `${o.kind} ${o.name} ${o.yaml}`)).join(' ').toLowerCase();
      return words.every((w) => text.includes(w));
    }) : [];
    svg.classList.toggle('searching', words.length > 0);
    mark('hit', hits);
    byId('found').textContent = words.length ? `${hits.length} found` : '';
  };

  svg.querySelectorAll('.node').forEach((node) => {
    node.addEventListener('click', () => choose(node.id));
    node.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(node.id); }
    });
  });
  byId('search').addEventListener('input', search);
  byId('search').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !hits.length) return;
    const id = hits[(hits.indexOf(chosen) + 1) % hits.length];
    choose(id);
    byId(id).scrollIntoView({block: 'center', inline: 'nearest'});
  });
  data.paths.forEach((p, i) => { const o = element('option', p.title); o.value = String(i); byId('path').append(o); });
  byId('path').hidden = data.paths.length < 2;
  byId('walk').disabled = !data.paths.length;
  byId('path').addEventListener('change', () => follow(0));
  byId('walk').addEventListener('click', () => follow(step < 0 ? 0 : -1));
  byId('back').addEventListener('click', () => follow(step - 1));
  byId('next').addEventListener('click', () => follow(step + 1));
  byId('size').addEventListener('click', () => {
    const full = byId('picture').classList.toggle('full');
    byId('size').setAttribute('aria-pressed', String(full));
  });
  document.addEventListener('keydown', (event) => {
    if (event.target.matches('input, select, pre')) return;
    if (step >= 0 && event.key === 'ArrowRight') { event.preventDefault(); follow(step + 1); }
    if (step >= 0 && event.key === 'ArrowLeft' && step > 0) { event.preventDefault(); follow(step - 1); }
    if (event.key === 'Escape') { follow(-1); choose(''); }
    if (event.key === '/') { event.preventDefault(); byId('search').focus(); }
  });
  show();
})();
