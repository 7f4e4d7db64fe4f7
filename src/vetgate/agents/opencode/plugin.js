// Written by `vetgate init`, and taken back by `vetgate init --remove`.
// Asks vetgate-hook before and after every call of a tool. Without an answer in time a call does not run.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

const COMMAND = "@COMMAND@"
const LAUNCHER = "@LAUNCHER@"
const SECONDS = "@SECONDS@"

// Where vetgate was removed nobody is locked out of a project that it never stood in.
function isGone(folder) {
  if (!LAUNCHER || existsSync(LAUNCHER)) return false
  for (let here = folder; ; here = dirname(here)) {
    if (existsSync(join(here, "vetgate.yaml"))) return false
    if (existsSync(join(here, ".git")) || dirname(here) === here) return true
  }
}

function ask(folder, event, fields) {
  return new Promise((resolve) => {
    const failed = (why) =>
      resolve({ decision: "deny", reason: `vetgate could not check this, so it does not run: ${why}. In a terminal: vetgate doctor` })
    try {
      if (isGone(folder)) return resolve({})
      const child = spawn("/bin/sh", ["-c", `${COMMAND} --event ${event}`], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] })
      let out = ""
      let err = ""
      const seconds = SECONDS[event] || 10
      const timer = setTimeout(() => {
        failed(`there was no answer within ${seconds} s`)
        child.kill("SIGKILL")
      }, seconds * 1000)
      child.stdout.on("data", (data) => (out += data))
      child.stderr.on("data", (data) => (err += data))
      child.stdin.on("error", () => {})
      child.on("error", (error) => (clearTimeout(timer), failed(error.message)))
      child.on("close", (status) => {
        clearTimeout(timer)
        if (status !== 0) return failed(err.trim() || `the hook ended with status ${status}`)
        try {
          const answer = out.trim() ? JSON.parse(out) : {}
          if (answer && typeof answer === "object" && !Array.isArray(answer)) resolve(answer)
          else failed("the hook did not answer with an object")
        } catch {
          failed("the hook did not answer with JSON")
        }
      })
      child.stdin.end(JSON.stringify({ hook_event_name: event, cwd: folder, ...fields }))
    } catch (error) {
      failed(String(error))
    }
  })
}

function called(input, args) {
  return { session_id: input.sessionID, tool_use_id: input.callID, tool_name: input.tool, tool_input: args }
}

export const Vetgate = async (given) => {
  const folder = given?.directory || process.cwd()
  const notes = new Map()
  const openings = new Map()
  const held = new Set()
  const atEnd = async (id) => {
    const answer = await ask(folder, "session.idle", { session_id: id, stop_hook_active: held.has(id) })
    if (answer.decision !== "block") return held.delete(id)
    held.add(id)
    // `opencode run` has ended by now: there what is open is held at the commit.
    await given.client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: answer.reason }] } })
  }
  // A session that an agent began has a parent, and its prompt is that agent's word. What nobody can tell is no person's.
  const isPersons = async (id) => {
    let timer
    const late = new Promise((resolve) => (timer = setTimeout(resolve, 2000, {})))
    try {
      const found = await Promise.race([given.client.session.get({ path: { id } }), late])
      return Boolean(found.data) && !found.data.parentID
    } catch {
      return false
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    "tool.execute.before": async (input, output) => {
      const answer = await ask(folder, "tool.execute.before", called(input, output.args))
      if (answer.decision === "deny") throw new Error(answer.reason || "vetgate stopped this call")
      if (answer.context) notes.set(input.callID, answer.context)
    },
    "tool.execute.after": async (input, output) => {
      const answer = await ask(folder, "tool.execute.after", called(input, input.args))
      const told = [openings.get(input.sessionID), notes.get(input.callID), answer.context || answer.reason].filter(Boolean).join("\n\n")
      notes.delete(input.callID)
      openings.delete(input.sessionID)
      if (told && typeof output.output === "string") output.output += `\n\n${told}`
    },
    "chat.message": async (input, output) => {
      const prompt = (output.parts || []).map((part) => (part.type === "text" ? part.text : "")).join("\n")
      const id = input.sessionID
      await ask(folder, "chat.message", { session_id: id, prompt, ...((await isPersons(id)) ? {} : { agent_id: id }) })
    },
    event: async ({ event }) => {
      try {
        // The model hears what is said at the start with its first call: nothing else here reaches it.
        if (event.type === "session.created") {
          const id = event.properties.info.id
          const answer = await ask(folder, event.type, { session_id: id })
          if (answer.context) openings.set(id, answer.context)
        }
        if (event.type === "session.idle") await atEnd(event.properties.sessionID)
      } catch {
        // nobody waits for this
      }
    },
  }
}
