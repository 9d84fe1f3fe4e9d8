/**
 * The embedded database's own process: the module and the folder in its arguments, the settings as JSON; told to open, it
 * executes PostgreSQL's protocol messages in the order in which they come and answers with the bytes of the replies. It ends
 * when it is told to, and when the arena's process has gone.
 */
export const ENGINE_SCRIPT = `
const [module, dataDir, settings] = process.argv.slice(1)
let database
let turn = Promise.resolve()
const words = (error) => ({ message: String(error?.message ?? error), code: error?.code, errno: error?.errno })
const open = async () => {
  database = await require(module).PGlite.create({ dataDir, postgresqlconf: JSON.parse(settings) })
}
const execute = async (messages) => {
  const replies = []
  for (const message of messages) replies.push(await database.execProtocolRaw(message))
  return Buffer.concat(replies)
}
const work = { open, execute: ({ messages }) => execute(messages), close: () => database?.close() }
process.on('disconnect', () => process.exit(0))
process.on('message', (request) => {
  turn = turn
    .then(() => work[request.kind](request))
    .then((reply) => ({ reply }), (error) => ({ failure: words(error) }))
    .then((answer) => process.send({ id: request.id, ...answer }))
})
`
