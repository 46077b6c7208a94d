-- A session of Neovim with `brennerlint lsp`; see .ci/neovim.
local function check(ok, what)
  if not ok then
    io.stderr:write("neovim: " .. what .. "\n")
    vim.cmd("cquit 1")
  end
  return ok
end

local buffer = vim.api.nvim_get_current_buf()
local id = check(vim.lsp.start_client({ name = "brennerlint", cmd = { vim.env.BRENNERLINT, "lsp" }, root_dir = vim.fn.getcwd() }), "the client does not start")
vim.lsp.buf_attach_client(buffer, id)
local client = vim.lsp.get_client_by_id(id)

local function found(code)
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    if d.code == code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code == code) then return d end
  end
end
local function request(method, params)
  local answers = check(vim.lsp.buf_request_sync(buffer, method, params, 20000), method .. " is not answered")
  for _, answer in pairs(answers) do
    check(not (answer.err or answer.error), method .. ": " .. vim.inspect(answer.err or answer.error))
    return answer.result
  end
end
local document = { uri = vim.uri_from_bufnr(buffer) }

-- A fix of one finding.
check(vim.wait(20000, function() return found("WT-003") ~= nil end, 50), "there is no WT-003")
local at = found("WT-003")
local place = { line = at.lnum, character = at.col }
local actions = request("textDocument/codeAction", {
  textDocument = document, range = { start = place, ["end"] = place },
  context = { diagnostics = { at.user_data and at.user_data.lsp and at.user_data.lsp.range and at.user_data.lsp or {
    range = { start = place, ["end"] = { line = at.end_lnum, character = at.end_col } }, message = at.message, code = "WT-003", source = "brennerlint", severity = 1,
  } } },
})
local fix
for _, action in ipairs(actions or {}) do
  if action.kind == "quickfix" and action.isPreferred and action.edit then fix = fix or action end
end
check(fix, "there is no fix: " .. vim.inspect(actions))
vim.lsp.util.apply_workspace_edit(fix.edit, client.offset_encoding)
check(vim.wait(20000, function() return found("WT-003") == nil end, 50), "WT-003 is still there")

-- A rename.
local line = vim.fn.search("^### T1:", "nw")
check(line > 0, "there is no T1")
local edit = request("textDocument/rename", { textDocument = document, position = { line = line - 1, character = 5 }, newName = "T9" })
check(edit, "there is no rename")
vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)

vim.cmd("write")
vim.lsp.stop_client(id)
check(vim.wait(20000, function() return vim.lsp.get_client_by_id(id) == nil or client.is_stopped() end, 50), "the server does not end")
vim.cmd("qall!")
