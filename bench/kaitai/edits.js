// Makes random edits of described files with varview and reads the results with Kaitai's own runtime, which must see the
// edit, and nothing else changed but what the description says follows.
//
//   npm install kaitai-struct-compiler kaitai-struct yaml     # anywhere; NODE_PATH names its node_modules
//   node bench/kaitai/edits.js VARVIEW EDITS SEED FOLDER...
//
// A FOLDER has descriptions with files of the same name, or is a copy of Kaitai's own tests: formats/, src/ and spec/*.kst.
const fs = require('fs'), os = require('os'), path = require('path'), { spawnSync } = require('child_process')
const compile = require('kaitai-struct-compiler'), runtime = require('kaitai-struct'), yaml = require('yaml')

const [varview, edits, seed, ...folders] = process.argv.slice(2)
const out = fs.mkdtempSync(path.join(os.tmpdir(), 'edits-'))
const camel = name => name.replace(/_([a-z0-9])/g, (_, c) => c.toUpperCase())
const upper = name => { const c = camel(name); return c[0].toUpperCase() + c.slice(1) }

let state = Number(seed) >>> 0 || 1
function random(n) { // xorshift
  state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0
  return state % n
}

function pairs(folder) {
  const specs = path.join(folder, 'spec')
  if (!fs.existsSync(specs)) {
    return fs.readdirSync(folder).filter(f => f.endsWith('.ksy')).flatMap(f => ['.sav', '.nbt', '.bin'].map(ext => [path.join(folder, f), path.join(folder, f.replace('.ksy', ext))])).filter(p => fs.existsSync(p[1]))
  }
  return fs.readdirSync(specs).map(f => yaml.parse(fs.readFileSync(path.join(specs, f), 'utf8').replace(/^( *)(actual|expected): (.*)$/gm, ''))).filter(s => s && s.data)
    .map(s => [path.join(folder, 'formats', s.id + '.ksy'), path.join(folder, 'src', s.data)]).filter(p => p.every(f => fs.existsSync(f)))
}

// load returns a function that reads bytes by a description.
async function load(ksy) {
  const spec = yaml.parse(fs.readFileSync(ksy, 'utf8'))
  const importYaml = name => Promise.resolve(yaml.parse(fs.readFileSync(path.join(path.dirname(ksy), name + '.ksy'), 'utf8')))
  const files = await compile.compile('javascript', spec, { importYaml }, false)
  const modules = {}
  const get = name => {
    const file = path.basename(name) + '.js'
    if (name.startsWith('kaitai-struct')) return require(name)
    if (!modules[file]) {
      const module = { exports: {} }
      modules[file] = module.exports
      new Function('require', 'module', 'exports', files[file])(get, module, module.exports)
    }
    return modules[file]
  }
  const name = upper(spec.meta.id)
  const computed = new Set()
  ;(function walk(t) {
    for (const [id, i] of Object.entries(t.instances || {})) if (i.value !== undefined || i.io !== undefined) computed.add(camel(id))
    for (const p of t.params || []) computed.add(camel(p.id))
    for (const x of Object.values(t.types || {})) walk(x)
  })(spec)
  return { read: bytes => flatten(new (get(name)[name])(new runtime.KaitaiStream(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), 0)), computed), text: fs.readFileSync(ksy, 'utf8') }
}

// flatten returns the values that are read, by their paths; not those that are computed or given as parameters.
function flatten(root, computed) {
  const all = new Map()
  const walk = (v, at, depth) => {
    if (depth > 12 || all.size > 5000) return
    if (v instanceof Uint8Array) return all.set(at, Buffer.from(v).toString('hex'))
    if (Array.isArray(v)) return v.forEach((x, i) => walk(x, `${at}[${i}]`, depth + 1))
    if (v === null || typeof v !== 'object') return v === undefined || all.set(at, v)
    const names = Object.keys(v).filter(k => k[0] !== '_' && !computed.has(k))
    for (const k of Object.getOwnPropertyNames(Object.getPrototypeOf(v))) {
      if (k !== 'constructor' && k[0] !== '_' && !computed.has(k) && Object.getOwnPropertyDescriptor(Object.getPrototypeOf(v), k).get) names.push(k)
    }
    for (const k of names) {
      let x
      try { x = v[k] } catch (e) { x = 'cannot be read' }
      walk(x, at === '' ? camel(k) : at + '.' + camel(k), depth + 1)
    }
  }
  walk(root, '', 0)
  return all
}

const run = (...args) => spawnSync(varview, args, { encoding: 'utf8', env: { ...process.env, HOME: out, XDG_STATE_HOME: out, XDG_CONFIG_HOME: out } })

// literalFor returns a value for a field, as varview and as the runtime write it.
function literalFor(value) {
  if (typeof value === 'boolean') { const v = random(2) === 0; return [String(v), v] }
  if (typeof value === 'number') { const v = Number.isInteger(value) ? random([3, 100, 60000][random(3)]) : random(1000) / 4; return [String(v), v] }
  if (typeof value === 'string') { const v = 'abcdefghijklmnopqrstuvwxyz'.slice(0, random(26)); return [JSON.stringify(v), v] }
  return []
}

// valueEdit sets a value.
function valueEdit(f) {
  const field = f.fields[random(f.fields.length)], at = camel(field.slice(2)), [literal, want] = literalFor(f.before.get(at))
  return literal === undefined ? null : { command: 'set', argument: `${field}=${literal}`, at, want, expected: f.before }
}

// elementEdit deletes an element of a list, or inserts one like it.
function elementEdit(f) {
  const lists = [...new Set(f.fields.flatMap(p => [...p.matchAll(/\[\d+\]/g)].map(m => p.slice(0, m.index))))]
  if (lists.length === 0) return null
  const list = lists[random(lists.length)], at = camel(list.slice(2)), expected = new Map()
  const indexOf = k => k.startsWith(at + '[') ? Number(k.slice(at.length + 1).match(/^\d+/)[0]) : -1
  const count = Math.max(...[...f.before.keys()].map(indexOf)) + 1, from = random(count), to = random(count + 1), isInsert = random(2) === 0
  for (const [k, v] of f.before) {
    const i = indexOf(k), rest = k.slice(at.length + 2 + String(i).length), put = i => expected.set(`${at}[${i}]${rest}`, v)
    if (i < 0) { expected.set(k, v); continue }
    if (isInsert && i === from) put(to)
    if (isInsert) put(i < to ? i : i + 1)
    else if (i !== from) put(i < from ? i : i - 1)
  }
  if (!isInsert) return { command: 'delete', argument: `${list}[${from}]`, expected }
  return { command: 'insert', argument: `${list}[${to}]=${run('get', '--ksy', ...f.pair, `${list}[${from}]`).stdout.trim()}`, expected }
}

async function main() {
  const formats = []
  for (const pair of folders.flatMap(pairs)) {
    try {
      const format = await load(pair[0]), bytes = fs.readFileSync(pair[1])
      const before = format.read(bytes)
      const lines = run('dump', '--json', '--ksy', pair[0], pair[1]).stdout.split('\n').filter(Boolean).map(l => JSON.parse(l))
      const fields = lines.filter(f => ['value', 'text', 'type', 'flags'].includes(f.kind) && isSame(f.value, before.get(camel(f.path.slice(2))))).map(f => f.path).filter(p => /^\$[\w.[\]]+$/.test(p))
      if (before.size > 0 && fields.length > 0) formats.push({ pair, before, fields, ...format })
    } catch (e) { if (process.env.VERBOSE) console.log(pair[0], String(e)) } // what Kaitai itself cannot compile or read has no oracle
  }
  let made = 0, refused = 0
  const wrong = []
  for (let i = 0; i < Number(edits) && formats.length > 0; i++) {
    const f = formats[random(formats.length)], edit = random(2) === 0 ? elementEdit(f) : valueEdit(f)
    if (!edit) continue
    const to = path.join(out, 'edited')
    const p = run(edit.command, '--ksy', f.pair[0], '--leave', ...(edit.command === 'set' ? ['--make-empty'] : []), f.pair[1], edit.argument, '-o', to)
    if (p.status !== 0 || !fs.existsSync(to)) {
      refused++
      if (process.env.VERBOSE) console.log('refused', path.basename(f.pair[0]), edit.command, edit.argument.slice(0, 60), p.stderr.slice(0, 200))
      continue
    }
    const isNamed = /would read differently/.test(p.stderr) || /switch-on|if:/.test(f.text) // which other values are then others
    let after, why = ''
    try { after = f.read(fs.readFileSync(to)) } catch (e) { why = isNamed ? '' : 'cannot be read: ' + e.message }
    fs.rmSync(to, { force: true })
    if (after && edit.at && !(after.get(edit.at) === edit.want || Math.abs(after.get(edit.at) - edit.want) < 0.01)) why = `is ${after.get(edit.at)}`
    for (const [k, v] of after || []) {
      if (!why && k !== edit.at && edit.expected.has(k) && edit.expected.get(k) !== v && !isNamed && !isUsed(f, k) && v !== edit.want && !overlaps(v, edit.expected.get(k))) why = `${k} was ${edit.expected.get(k)} and is ${v}`
    }
    for (const k of edit.expected.keys()) if (after && !why && !isNamed && !after.has(k) && !isUsed(f, k)) why = `${k} is gone`
    made++
    if (why) wrong.push(`${path.basename(f.pair[0])} ${edit.command} ${edit.argument}: ${why}`)
  }
  fs.rmSync(out, { recursive: true, force: true })
  for (const w of wrong.slice(0, 20)) console.log(w)
  console.log(`${made} edits of ${formats.length} formats, ${refused} refused, ${wrong.length} wrong`)
  process.exit(wrong.length > 0 || made === 0 ? 1 : 0)
}

// isUsed reports whether the description says elsewhere what a value is for: it may follow an edit.
function isUsed(f, at) {
  const snake = at.replace(/\[\d+\]/g, '').split('.').pop().replace(/[A-Z]/g, c => '_' + c.toLowerCase())
  return (f.text.match(new RegExp(`\\b${snake}\\b`, 'g')) || []).length > 1 || /-varview-value/.test(f.text)
}

// isSame reports whether varview and the runtime read the same value.
function isSame(text, value) {
  return typeof value === 'number' ? Math.abs(Number(text) - value) < 0.01 || Number.isInteger(value) && isNaN(Number(text)) : String(value) === text
}

// overlaps reports whether two values are bytes, of which an edit of what is in them changes some.
function overlaps(a, b) {
  return typeof a === 'string' && typeof b === 'string' && /^([0-9a-f]{2})*$/.test(a) && /^([0-9a-f]{2})*$/.test(b)
}

main()
