//! An answer with everything that markdown has.

use super::story::Stage;
use crate::state::qa::Script;

const ENGLISH: &str = r#"# A lantern, whole

A paragraph with **bold**, *italic*, ***both***, ~~gone~~, `code`, a [link](https://example.com/lantern), an address
<https://example.com>, and a hard line break\
right here. "Quotes" and — dashes.

## Lists

1. First
2. Second
   - inside
     - deeper
   - inside again
3. Third

- [x] done
- [ ] still to do

> A quote.
>
> > A quote in it, with `code`.

### A table

| Part | Price | In stock |
| :--- | ---: | :---: |
| Battery | 2.50 | yes |
| Bulb with a rather long name that wraps | 14.00 | **no** |

#### Code

```rust
/// Shines.
fn shine(lamp: &Lamp) -> Result<Lumens, Dark> {
    let power = lamp.battery()?.volts() * 2.5; // a comment
    Ok(Lumens((power * 100.0) as u32))
}
```

```json
{"lamp": {"on": true, "lumens": 120, "name": "灯"}}
```

    indented code

---

![A picture of a lantern](https://example.com/lantern.png)

<b>HTML stays text.</b> A footnote-like[^1] mark, and math-like $x^2$.

[^1]: The note.

##### Fifth

###### Sixth
"#;

const CHINESE: &str = r#"# 一盏完整的灯

这一段里有**粗体**、*斜体*、~~删除~~、`代码`和[链接](https://example.com/灯)，还有“引号”——破折号……以及中英 mixed 文字。

## 列表

1. 第一
   - 里面
2. 第二

- [x] 已完成
- [ ] 待办

> 引用一句话。

| 部件 | 价格 | 有货 |
| :--- | ---: | :---: |
| 电池 | 2.50 | 是 |
| 名字相当长、需要换行的灯泡 | 14.00 | **否** |

```python
def 亮(灯):  # 注释
    return f"{灯.亮度} 流明"
```
"#;

pub(super) fn markdown(stage: &Stage) -> Script {
    let title = stage.say("Everything markdown has", "Markdown 的全部");
    let mut story = stage.story("markdown", title);
    let (first, second) = match stage.say("en", "zh") {
        "zh" => (ENGLISH, CHINESE),
        _ => (CHINESE, ENGLISH),
    };
    story.ask(stage.say("In the other language first.", "先用另一种语言。"));
    story.answer(first);
    story.ask(stage.say("And now in mine.", "再用我的语言。"));
    story.answer(second);
    story.script()
}
