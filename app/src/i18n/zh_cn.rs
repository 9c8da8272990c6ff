//! Simplified Chinese.

use super::keys::*;

pub(super) const WORDS: Words = Words {
    common: CommonWords {
        app: "Wisp",
        simulation: "模拟",
        simulation_hint: "模拟模式：不会调用模型",
        close: "关闭",
        cancel: "取消",
        copy: "复制",
        copied: "已复制",
        retry: "重试",
        undo: "撤销",
        save: "保存",
        delete: "删除",
        rename: "重命名",
        open: "打开",
        more: "更多",
        back: "返回",
        seconds: "{n} 秒",
        minutes: "{n} 分钟",
        today: "今天",
        yesterday: "昨天",
        show_all: "显示全部",
        show_less: "收起",
        loading: "正在加载…",
        nothing_here: "这里还没有内容",
        no_folder: "未选文件夹",
    },
    markdown: MarkdownWords {
        copy_code: "复制代码",
        code_text: "文本",
        picture_outside: "图片未加载：{address}",
        task_done: "已完成",
        task_open: "未完成",
    },
    body: BodyWords {
        unchanged_lines: "{n} 行未变",
        more_lines: "还有 {n} 行",
        long_line: "…此行还有 {n} 个字符",
        no_hits: "没有找到。",
        empty_text: "文本为空。",
        empty_folder: "文件夹为空。",
        truncated: "工具只返回了一部分。",
    },
};
