import { lockFolder } from '../../../src/store/folder-lock.ts'

const [folder = '', name = ''] = process.argv.slice(2)
try {
  const lock = await lockFolder(folder, name, () => new Date('2030-01-02T03:04:05.678Z'))
  process.stdout.write('held\n')
  for await (const _ of process.stdin);
  await lock.release()
} catch (error) {
  process.stdout.write(`refused: ${error instanceof Error ? error.message : error}\n`)
}
